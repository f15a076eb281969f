/** What is said of what nobody asked for, word for word. PostgreSQL says the same (conformance suite: near-end, overdue, extension). */
import { describe } from 'node:test';
import { type LockState, newLockState } from '../../src/domain/lock-state.ts';
import { extendedMessage } from '../../src/domain/messages.ts';
import { nearEndMessage, noneInIntervalMessage } from '../../src/domain/watch.ts';
import { assertSaid, type Said } from './said.ts';

const NOW = Date.UTC(2026, 0, 5, 12);
const MINUTE = 60_000;
const HELD: LockState = {
  ...newLockState('nightly'),
  token: 't',
  runId: 'r1',
  holder: 'web1:7',
  since: NOW - 48 * MINUTE,
  leaseMs: 60 * MINUTE,
  leaseUntil: NOW + 12 * MINUTE,
  schedule: '0 * * * *',
  timezone: 'Europe/Berlin',
};
/** Of which little is known, under a name that a shell needs quoted. */
const ODD: LockState = { ...newLockState('a b'), leaseMs: 60 * MINUTE, leaseUntil: NOW + 30 * MINUTE };

const NEAR_END: readonly Said[] = [
  [
    () => nearEndMessage(HELD, 80, 'held', NOW),
    'Lock "nightly" is held past 80 % of its lease without a renewal (48m of 1h) by run r1 of holder web1:7; the lease ends 2026-01-05T12:12:00.000Z; for a longer lease: leasehold advise nightly',
  ],
  [
    () => nearEndMessage(HELD, 80, 'renewed', NOW),
    'Lock "nightly" was renewed only past 80 % of its lease (48m of 1h) by run r1 of holder web1:7; for a longer lease: leasehold advise nightly',
  ],
  [
    () => nearEndMessage(ODD, 50, 'released', NOW),
    `Lock "a b" was released only past 50 % of its lease (30m of 1h) by run unknown of holder unknown; for a longer lease: leasehold advise 'a b'`,
  ],
];

const OVERDUE: readonly Said[] = [
  [
    () => noneInIntervalMessage(HELD, 0),
    'No run of lock "nightly" got through in 3 intervals of its schedule (0 * * * *, Europe/Berlin): the latest one started 2026-01-05T11:12:00.000Z; no start was skipped since, so look at its scheduler; to see why: leasehold why nightly',
  ],
  [
    () => noneInIntervalMessage(HELD, 1),
    'No run of lock "nightly" got through in 3 intervals of its schedule (0 * * * *, Europe/Berlin): the latest one started 2026-01-05T11:12:00.000Z; 1 start was skipped since; to see why: leasehold why nightly',
  ],
  [
    () => noneInIntervalMessage({ ...HELD, pausedAt: NOW }, 3),
    'No run of lock "nightly" got through in 3 intervals of its schedule (0 * * * *, Europe/Berlin): the latest one started 2026-01-05T11:12:00.000Z; 3 starts were skipped since; it is paused since 2026-01-05T12:00:00.000Z; to go on: leasehold resume nightly',
  ],
  [
    () => noneInIntervalMessage(ODD, 100),
    `No run of lock "a b" got through in 3 intervals of its schedule (unknown, unknown): none is recorded; at least 100 starts were skipped since; to see why: leasehold why 'a b'`,
  ],
];

const EXTENDED: readonly Said[] = [
  [
    () => extendedMessage(HELD, 'process 17 runs', NOW + 60 * MINUTE),
    'Extended the lease of lock "nightly" until 2026-01-05T13:00:00.000Z: holder web1:7 has not renewed it in time, and is alive (process 17 runs).',
  ],
];

describe('of a lease that nears its end', () => assertSaid(NEAR_END));
describe('of a lock whose schedule nobody got through', () => assertSaid(OVERDUE));
describe('of a lease whose holder is alive', () => assertSaid(EXTENDED));
