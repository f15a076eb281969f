/** What is said of a host, a command and a lease’s length, word for word. */
import { describe } from 'node:test';
import { migratedMessage } from '../../src/cli/commands/migrate.ts';
import { notStartedMessage } from '../../src/cli/guard/child-end.ts';
import { stuckSessionMessage } from '../../src/cli/guard/stop.ts';
import { advise, adviceMessage, type AdviceSample, type FinishedRun } from '../../src/domain/advise.ts';
import type { LockStatus } from '../../src/domain/answers.ts';
import { explainNow } from '../../src/domain/why.ts';
import { unsupportedNodeMessage } from '../../src/domain/node-version.ts';
import { assertSaid, type Said } from './said.ts';

const MINUTE = 60_000;
const SAMPLE: AdviceSample = {
  runs: 30,
  days: 4,
  usualMs: 20 * MINUTE,
  p95Ms: 60 * MINUTE,
  slowDay: '2026-01-04',
  slowDayP95Ms: 70 * MINUTE,
  slowestMs: 70 * MINUTE,
  slowestRunId: 'r9',
};
const RUN: FinishedRun = {
  runId: 'r9',
  startedAt: new Date(0),
  endedAt: new Date(70 * MINUTE),
};

const STALE: LockStatus = {
  lock: 'nightly',
  state: 'stale',
  holder: 'web1:7',
  holderInfo: null,
  since: null,
  ageMs: null,
  usualMs: null,
  leaseUntil: new Date(0),
  remainingMs: 0,
  skipsInRow: 0,
  lastSuccessAt: null,
  nextSlotAt: null,
  paused: false,
};

/** What is wrong with a lease of so many minutes, where the slowest run took 70. */
const warningOf = (minutes: number): string =>
  advise([RUN], { renewal: 'touch', gapMs: null }, minutes * MINUTE).warnings.join('; ');

const SAID: readonly Said[] = [
  [
    () => unsupportedNodeMessage('v22.1.0'),
    'Leasehold needs Node.js 24.15 or newer (24.x or 26 and up); this is v22.1.0. Install Node.js 24, for example from https://nodejs.org, and start again.',
  ],
  [
    () => notStartedMessage('./job.sh --all', 0, 'ENOENT'),
    `can't start "./job.sh --all": not found (the command, or the interpreter its first line names); a line of shell needs a shell: -- sh -c '…'`,
  ],
  [() => notStartedMessage('job.sh', 0, 'EACCES'), `can't start "job.sh": not executable (permission denied)`],
  [() => notStartedMessage('job.sh', 0, 'ENOEXEC'), `can't start "job.sh": not executable (unknown format)`],
  [() => notStartedMessage('job.sh', 0, 'EISDIR'), `can't start "job.sh": not executable (a directory)`],
  [() => notStartedMessage('job.sh', 0, 'E2BIG'), `can't start "job.sh": its arguments and environment are too long`],
  [() => notStartedMessage('job.sh', 0, 'EAGAIN'), `can't start "job.sh": the system has no process to spare`],
  [() => notStartedMessage('job.sh', 0, 'ENOMEM'), `can't start "job.sh": the system has no memory to spare`],
  [() => notStartedMessage('job.sh', 0, 'EIO'), `can't start "job.sh": EIO`],
  [
    () => adviceMessage('nightly', { leaseMs: null, rule: 'nothing_known', sample: null, warnings: [] }),
    'Nothing is known of lock "nightly" yet: let it run for some days, or name its schedule.',
  ],
  [
    () => adviceMessage('nightly', { leaseMs: 121 * MINUTE, rule: 'two_gaps', sample: null, warnings: [] }),
    'Advised lease for lock "nightly": 2h 1m, two gaps of its schedule plus a minute; there is no history yet.',
  ],
  [
    () => adviceMessage('nightly', { leaseMs: 140 * MINUTE, rule: 'slow_day', sample: SAMPLE, warnings: [] }),
    'Advised lease for lock "nightly": 2h 20m, twice the 95th percentile of its slowest day (2026-01-04, 1h 10m); 30 runs on 4 days took 20m usually and 1h 10m at most.',
  ],
  [
    () => adviceMessage('nightly', { leaseMs: 150 * MINUTE, rule: 'slowest_run', sample: SAMPLE, warnings: [] }),
    'Advised lease for lock "nightly": 2h 30m, one and a half times its slowest run (r9); 30 runs on 4 days took 20m usually and 1h 10m at most.',
  ],
  [
    () => adviceMessage('nightly', { leaseMs: 121 * MINUTE, rule: 'two_gaps', sample: SAMPLE, warnings: [] }),
    'Advised lease for lock "nightly": 2h 1m, two gaps of its schedule plus a minute, since it is renewed by touch only; 30 runs on 4 days took 20m usually and 1h 10m at most.',
  ],
  [
    () => stuckSessionMessage(4711),
    'something of session 4711 is still there after KILL; look at it by hand (ps -s 4711)',
  ],
  [() => migratedMessage(0, 1), 'Installed the schema, version 1.'],
  [() => migratedMessage(1, 2), 'Updated the schema from version 1 to 2.'],
  [() => migratedMessage(2, 2), 'The schema is at version 2 already.'],
  [
    () => explainNow('nightly', STALE, { latest: null, forcedFrom: null }).message,
    'A start of lock "nightly" would proceed now: the lease of holder web1:7 ended 1970-01-01T00:00:00.000Z without a release, and would be reclaimed.',
  ],
  [
    () => adviceMessage('nightly', advise([RUN], { renewal: 'heartbeat', gapMs: null })),
    'Advised lease for lock "nightly": 2h 20m, twice the 95th percentile of its slowest day (1970-01-01, 1h 10m); 1 run on 1 day took 1h 10m usually and 1h 10m at most.',
  ],
  [
    () => warningOf(40),
    "A lease of 40m is below the slowest known run (1h 10m, run r9): unless it is renewed, the next start takes a healthy run's lock.",
  ],
  [() => warningOf(80), 'The slowest known run (1h 10m) took over 80 % of a lease of 1h 20m.'],
  [() => warningOf(130), 'The slowest known run (1h 10m) took over 50 % of a lease of 2h 10m.'],
  [() => warningOf(24 * 60), 'A lease of 1d blocks every start for so long after a crash.'],
];

describe('of hosts, commands and leases', () => assertSaid(SAID));
