/** What `doctor` says of locks, word for word. Which of it is a warning: domain/doctor-locks.test.ts. */
import { describe } from 'node:test';
import { readLocks } from '../../src/cli/doctor/lock-facts.ts';
import type { LockStatus } from '../../src/domain/answers.ts';
import { judgeLocks, type LockFacts } from '../../src/domain/doctor-locks.ts';
import { openStage } from '../engine/stage.ts';
import { FINISHED_RUN, FREE_LOCK, NOW } from '../domain/doctor-samples.ts';
import { assertSaid, found, type Said } from './said.ts';

const HOUR = 3_600_000;
const ago = (ms: number): Date => new Date(NOW - ms);

const fine = (check: string) => () => found(judgeLocks([], NOW, '3 locks'), check);
const of = (check: string, patch: Partial<LockFacts>) => () => {
  const lock: LockFacts = { status: FREE_LOCK, runs: [FINISHED_RUN], pausedAt: null, ...patch };
  return found(judgeLocks([lock], NOW, '1 lock'), check);
};

const HELD: LockStatus = { ...FREE_LOCK, state: 'held', holder: 'web1:7', since: ago(3 * HOUR), ageMs: 3 * HOUR };
const PAUSED: LockStatus = { ...FREE_LOCK, paused: true };
const STALE: LockStatus = { ...HELD, state: 'stale', leaseUntil: ago(2 * HOUR) };
const RUNNING = { ...FINISHED_RUN, endedAt: null, status: null, renewedAt: ago(2 * HOUR) };

/** Where a store has more locks than a doctor looks at. */
async function ofMany(count: number): Promise<string> {
  await using stage = await openStage();
  for (let lock = 0; lock < count; lock += 1) await stage.leasehold.lock(`job-${lock}`).pause();
  const { locks, of: which } = await readLocks(stage.leasehold, stage.clock);
  return found(judgeLocks(locks, stage.clock.read().wallMs, which), 'stale');
}

const SAID: readonly Said[] = [
  [() => ofMany(1), 'None is stale (1 lock).'],
  [() => ofMany(101), 'None is stale (the 100 used last of 101 locks).'],
  [fine('lease'), 'The lease of each fits what its runs took (3 locks).'],
  [fine('stale'), 'None is stale (3 locks).'],
  [fine('paused'), 'None has been paused for more than a day (3 locks).'],
  [fine('skips'), 'None is being skipped over and over (3 locks).'],
  [fine('renewal'), 'None is held without being renewed (3 locks).'],
  [
    of('lease', { runs: [{ ...FINISHED_RUN, endedAt: ago(0) }] }),
    `Lock "nightly": A lease of 1h is below the slowest known run (3h, run r1): unless it is renewed, the next start takes a healthy run's lock. See: leasehold advise nightly`,
  ],
  [
    of('stale', { status: STALE }),
    'Lock "nightly": its lease ended 2h ago without a release (holder web1:7). The next start takes it over; if none comes, look at its schedule.',
  ],
  [
    of('stale', { status: { ...STALE, holder: null, leaseUntil: null } }),
    'Lock "nightly": its lease ended at an unknown time without a release (holder unknown). The next start takes it over; if none comes, look at its schedule.',
  ],
  [
    of('stale', { status: STALE, runs: [{ ...FINISHED_RUN, outcome: 'skipped', reason: 'hold' }] }),
    'Lock "nightly": its lease ended 2h ago without a release (holder web1:7), and its latest start left it to a person (--on-stale hold). When the old run is surely over: leasehold force-release nightly --reason TEXT --now',
  ],
  [
    of('paused', { status: PAUSED }),
    'Lock "nightly": it is paused, since when is not recorded. To let starts in: leasehold resume nightly',
  ],
  [
    of('paused', { status: PAUSED, pausedAt: ago(50 * HOUR) }),
    'Lock "nightly": it has been paused for 2d 2h. To let starts in: leasehold resume nightly',
  ],
  [
    of('skips', { status: { ...HELD, skipsInRow: 3 } }),
    'Lock "nightly": 3 starts in a row were skipped because of holder web1:7 for 3h. See: leasehold why nightly',
  ],
  [
    of('skips', { status: { ...FREE_LOCK, skipsInRow: 4 } }),
    'Lock "nightly": 4 starts in a row were skipped because of a run that has ended since, and none has got through yet. See: leasehold why nightly',
  ],
  [
    of('renewal', { status: HELD, runs: [RUNNING] }),
    'Lock "nightly": holder web1:7 has not renewed it for 2h, longer than a lease of 1h, and it is still held. See: leasehold events --lock nightly',
  ],
];

describe('of locks', () => assertSaid(SAID));
