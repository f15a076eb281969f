/** A minute without the store, in real time. */
import { describeRealOutages } from '../outage/real-time-outages.ts';

describeRealOutages('a minute without PostgreSQL', [
  { seconds: 60, leaseSeconds: 200, weather: 'refuses', onLost: 'stop' },
  { seconds: 60, leaseSeconds: 200, weather: 'hangs', onLost: 'stop' },
  { seconds: 60, leaseSeconds: 200, weather: 'loses answers', onLost: 'warn' },
  { seconds: 60, leaseSeconds: 30, weather: 'refuses', onLost: 'stop' },
  { seconds: 60, leaseSeconds: 30, weather: 'hangs', onLost: 'stop' },
  { seconds: 60, leaseSeconds: 30, weather: 'resets', onLost: 'stop' },
  { seconds: 60, leaseSeconds: 30, weather: 'refuses', onLost: 'warn' },
  { seconds: 60, leaseSeconds: 30, weather: 'hangs', onLost: 'warn' },
]);
