import { describeMutants } from '../mutation.ts';

const ALERTS = 'test/cli/doctor-alerts.test.ts';

describeMutants('doctor and the configuration', [
  {
    broken: 'what would refuse a start is not looked at',
    file: 'src/cli/doctor/examine.ts',
    replace: '  note(...faults.filter((fault) => !isSaid(fault)));\n',
    by: '',
    testFile: ALERTS,
    fails: 'also where no store is there yet, since the first start would be refused; and of probes alike',
  },
  {
    broken: 'channels that make no sense count as none',
    file: 'src/cli/doctor/sections.ts',
    replace: 'return { value: null, fault: error.message };',
    by: 'return { value: null, fault: null };',
    testFile: ALERTS,
    fails: 'a mistake in the channels is a problem, exit 78, with no secret in it, and says what waits',
  },
  {
    broken: 'that what waits is delivered nowhere is not said',
    file: 'src/domain/doctor-alerts.ts',
    replace: 'pending > 0 && channels?.length === 0',
    by: 'pending < 0 && channels?.length === 0',
    testFile: ALERTS,
    fails: 'without a channel it says that nobody is told, and warns once an alert waits',
  },
]);
