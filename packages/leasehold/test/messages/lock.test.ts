/** What is said of a lock, word for word: one example of every sentence of the domain. PostgreSQL says the same (conformance suite). */
import { describe } from 'node:test';
import type { LockState } from '../../src/domain/lock-state.ts';
import { newLockState } from '../../src/domain/lock-state.ts';
import {
  acquiredMessage,
  alreadyRanMessage,
  bypassedMessage,
  extendedMessage,
  forceReleaseMessage,
  givenUpMessage,
  lostMessage,
  pausedMessage,
  reclaimedMessage,
  releaseMessage,
  renewedMessage,
  replayMessage,
  resumedMessage,
  skippedMessage,
  withReason,
} from '../../src/domain/messages.ts';
import type { PreviousLease } from '../../src/domain/run.ts';
import { assertSaid, type Said } from './said.ts';

const NOW = Date.UTC(2026, 0, 5, 12);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const SINCE = NOW - 70 * MINUTE;
const HELD: LockState = {
  ...newLockState('nightly'),
  token: 't',
  runId: 'r1',
  holder: 'web1:7',
  since: SINCE,
  leaseUntil: NOW + 5 * MINUTE,
  skipsInRow: 2,
};
const LATE: LockState = { ...HELD, leaseUntil: NOW - 90_000 };
/** Of which nothing is known, under a name that a shell needs quoted. */
const ODD: LockState = { ...newLockState("o'clock job"), token: 't' };
const NOBODY: PreviousLease = {
  holder: null,
  runId: null,
  since: null,
  ageMs: null,
  renewedAt: null,
  progress: null,
  probe: null,
};
const PREVIOUS: PreviousLease = {
  ...NOBODY,
  holder: 'web1:7',
  runId: 'r1',
  since: new Date(SINCE),
  ageMs: NOW - SINCE,
  renewedAt: new Date(NOW - HOUR),
};

const SAID: readonly Said[] = [
  [
    () => acquiredMessage('nightly', 7, 5 * MINUTE, NOW + 5 * MINUTE),
    'Acquired lock "nightly" for 5m, until 2026-01-05T12:05:00.000Z (fence 7).',
  ],
  [
    () => replayMessage('nightly', 'r1', NOW + 5 * MINUTE),
    'Run r1 holds lock "nightly" already, until 2026-01-05T12:05:00.000Z: the same start asked again.',
  ],
  [
    () => reclaimedMessage('nightly', PREVIOUS, { forced: false, releasedItself: false }),
    'Reclaimed stale lease of lock "nightly": previous holder web1:7, lease age 1h 10m, last renewed 2026-01-05T11:00:00.000Z, probe none; the previous run may still be running.',
  ],
  [
    () => reclaimedMessage('nightly', NOBODY, { forced: false, releasedItself: false }),
    'Reclaimed stale lease of lock "nightly": previous holder unknown, lease age unknown, never renewed, probe none; the previous run may still be running.',
  ],
  [
    () => reclaimedMessage('nightly', PREVIOUS, { forced: true, releasedItself: false }),
    'Reclaimed lease of lock "nightly" after a force-release: previous holder web1:7, lease age 1h 10m, last renewed 2026-01-05T11:00:00.000Z, probe none; the previous run may still be running.',
  ],
  [
    () => reclaimedMessage('nightly', PREVIOUS, { forced: true, releasedItself: true }),
    'Reclaimed lease of lock "nightly" after a force-release: previous holder web1:7, lease age 1h 10m, last renewed 2026-01-05T11:00:00.000Z, probe none; the previous run has released it itself.',
  ],
  [
    () => skippedMessage(HELD, 'held', 'r2', NOW),
    'Skipped lock "nightly": previous run still running (holder web1:7, for 1h 10m, lease ends 2026-01-05T12:05:00.000Z, skip 2 in a row); to release it by force: leasehold force-release nightly --reason TEXT',
  ],
  [
    () => skippedMessage(ODD, 'held', 'r2', NOW),
    `Skipped lock "o'clock job": previous run still running (holder unknown, for unknown, lease ends unknown, skip 0 in a row); to release it by force: leasehold force-release 'o'\\''clock job' --reason TEXT`,
  ],
  [
    () => skippedMessage(LATE, 'hold', 'r2', NOW),
    'Skipped lock "nightly": its lease is stale (holder web1:7, age 1h 10m) and waits for a person; when the old run is surely over: leasehold force-release nightly --reason TEXT --now',
  ],
  [
    () => skippedMessage({ ...HELD, drainUntil: NOW + MINUTE }, 'draining', 'r2', NOW),
    'Skipped lock "nightly": it was force-released and waits for holder web1:7 to stop, at the latest until 2026-01-05T12:01:00.000Z.',
  ],
  [
    () => skippedMessage({ ...HELD, freeAt: NOW + MINUTE }, 'cooling', 'r2', NOW),
    'Skipped lock "nightly": its last run asked for a pause after it; it is free from 2026-01-05T12:01:00.000Z; to free it by force: leasehold force-release nightly --reason TEXT',
  ],
  [
    () => skippedMessage(HELD, 'paused', 'r2', NOW),
    'Skipped lock "nightly": it is paused; to go on: leasehold resume nightly',
  ],
  [
    () => skippedMessage(HELD, 'contended', 'r2', NOW),
    'Skipped lock "nightly": another transaction kept its row locked for too long; nothing was started.',
  ],
  [
    () => skippedMessage(LATE, 'run_ended', 'r1', NOW),
    'Skipped lock "nightly": run r1 had it and its lease is over; a new start needs a new run id.',
  ],
  [
    () => alreadyRanMessage('nightly', NOW - HOUR, { runId: 'r1', holder: 'web1:7', endedAt: NOW }),
    'Already ran: slot 2026-01-05T11:00:00.000Z of lock "nightly" was done by run r1 of holder web1:7, which ended 2026-01-05T12:00:00.000Z; a manual rerun says again.',
  ],
  [
    () => alreadyRanMessage('nightly', NOW - HOUR, { runId: null, holder: null, endedAt: null }),
    'Already ran: slot 2026-01-05T11:00:00.000Z of lock "nightly" was done by run unknown of holder unknown, which ended unknown; a manual rerun says again.',
  ],
  [
    () => pausedMessage('nightly', false),
    'Paused lock "nightly": new starts are skipped, a run under way goes on; to go on: leasehold resume nightly',
  ],
  [
    () => pausedMessage('nightly', false, 'TICKET17'),
    'Paused lock "nightly": new starts are skipped, a run under way goes on; reason: TICKET17; to go on: leasehold resume nightly',
  ],
  [() => pausedMessage('nightly', true), 'Lock "nightly" was paused already; its new starts are skipped.'],
  [() => resumedMessage('nightly', true), 'Resumed lock "nightly": starts are let in again.'],
  [() => resumedMessage('nightly', false), 'Lock "nightly" was not paused.'],
  [
    () => bypassedMessage('nightly', 'hotfix'),
    'Bypassed lock "nightly" (hotfix): this run holds nothing; claims still protect its records.',
  ],
  [
    () => extendedMessage(LATE, 'process 17 runs', NOW + 5 * MINUTE),
    'Extended the lease of lock "nightly" until 2026-01-05T12:05:00.000Z: holder web1:7 has not renewed it in time, and is alive (process 17 runs).',
  ],
  [() => renewedMessage('nightly', NOW + 5 * MINUTE), 'Renewed lock "nightly" until 2026-01-05T12:05:00.000Z.'],
  [
    () => lostMessage('nightly', 'expired', LATE, NOW),
    'Lost lock "nightly": its lease ended 1m 30s ago; stop, another run may start at any moment.',
  ],
  [
    () => lostMessage('nightly', 'taken_over', HELD, NOW),
    'Lost lock "nightly": run r1 of holder web1:7 took it over; stop.',
  ],
  [
    () => lostMessage('nightly', 'taken_over', ODD, NOW),
    'Lost lock "nightly": run unknown of holder unknown took it over; stop.',
  ],
  [() => lostMessage('nightly', 'force_released', HELD, NOW), 'Lost lock "nightly": it was force-released; stop.'],
  [() => lostMessage('nightly', 'released', HELD, NOW), 'Lost lock "nightly": this run has released it already.'],
  [
    () => lostMessage('nightly', 'unknown_token', null, NOW),
    'Lost lock "nightly": no run of it has this token; stop, and check its name and the token.',
  ],
  [() => releaseMessage('nightly', 'released', HELD, NOW), 'Released lock "nightly".'],
  [
    () => givenUpMessage('nightly', 'its lease was not renewed in time'),
    'Lost lock "nightly": its lease was not renewed in time.',
  ],
  [
    () => releaseMessage('nightly', 'expired', LATE, NOW),
    'Released lock "nightly" 1m 30s after its lease had ended; nobody had taken it.',
  ],
  [() => releaseMessage('nightly', 'already_free', HELD, NOW), 'Lock "nightly" was free already.'],
  [
    () => releaseMessage('nightly', 'not_holder', HELD, NOW),
    'Not released: this token does not hold lock "nightly"; its latest run is r1 of holder web1:7.',
  ],
  [
    () => releaseMessage('nigthly', 'not_holder', null, NOW),
    'Not released: lock "nigthly" is not known to this store; check its name.',
  ],
  [
    () => forceReleaseMessage('nightly', 'draining', HELD, NOW + 5 * MINUTE),
    'Force-released lock "nightly": holder web1:7 is told at its next renewal; the lock is free at the latest at 2026-01-05T12:05:00.000Z.',
  ],
  [
    () => forceReleaseMessage('nightly', 'released', HELD, NOW),
    'Force-released lock "nightly": it is free now; its run r1 may still be running.',
  ],
  [
    () => forceReleaseMessage('nightly', 'released', { ...HELD, token: null }, NOW),
    'Force-released lock "nightly": the pause after its run r1 is over, it is free now.',
  ],
  [
    () => withReason(forceReleaseMessage('nightly', 'released', HELD, NOW), 'TICKET17'),
    'Force-released lock "nightly": it is free now; its run r1 may still be running; reason: TICKET17',
  ],
  [() => forceReleaseMessage('nightly', 'already_free', HELD, null), 'Nothing to release: lock "nightly" is free.'],
  [
    () => forceReleaseMessage('nigthly', 'already_free', null, null),
    'Nothing to release: lock "nigthly" is not known to this store; check its name.',
  ],
];

describe('of a lock', () => assertSaid(SAID));
