/** Ten minutes without the store, in real time. */
import { describeRealOutages } from '../outage/real-time-outages.ts';

describeRealOutages('ten minutes without PostgreSQL', [
  { seconds: 600, leaseSeconds: 1_800, weather: 'refuses', onLost: 'stop' },
  { seconds: 600, leaseSeconds: 1_800, weather: 'hangs', onLost: 'stop' },
  { seconds: 600, leaseSeconds: 300, weather: 'refuses', onLost: 'stop' },
  { seconds: 600, leaseSeconds: 300, weather: 'hangs', onLost: 'stop' },
  { seconds: 600, leaseSeconds: 60, weather: 'resets', onLost: 'stop' },
  { seconds: 600, leaseSeconds: 300, weather: 'refuses', onLost: 'warn' },
  { seconds: 600, leaseSeconds: 300, weather: 'hangs', onLost: 'warn' },
]);
