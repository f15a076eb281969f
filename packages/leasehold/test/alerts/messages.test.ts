/** Every sentence that an alert may say, once each: what happened, to what, and what to do. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  alertDeadMessage,
  alertsDeadMessage,
  alertText,
  skipStreakMessage,
  storeUnreachableMessage,
} from '../../src/domain/alert-messages.ts';
import type { EventKind, LeaseholdEvent } from '../../src/domain/answers.ts';
import { newLockState } from '../../src/domain/lock-state.ts';
import {
  bypassedMessage,
  givenUpMessage,
  lostMessage,
  reclaimedMessage,
  releaseMessage,
  skippedMessage,
} from '../../src/domain/messages.ts';
import { evidenceMessage, recordName, verdictRefusedMessage } from '../../src/domain/records/messages.ts';
import { nearEndMessage, noneInIntervalMessage } from '../../src/domain/watch.ts';

const SINCE = Date.UTC(2026, 0, 5, 3);
const HOUR = 3_600_000;
const NOW = SINCE + 2 * HOUR;
const LOCK = {
  ...newLockState('hourly-enrich'),
  token: 'secret-token',
  holder: 'web1:4711',
  runId: 'run-1',
  since: SINCE,
  leaseUntil: SINCE + 3 * HOUR,
};
const PREVIOUS = {
  holder: 'web1:4711',
  runId: 'run-1',
  since: new Date(SINCE),
  ageMs: 2 * HOUR,
  renewedAt: null,
  progress: null,
  probe: null,
};
const text = (kind: string, message: string, data: LeaseholdEvent['data'] = null): string =>
  alertText({ kind: kind as EventKind, lock: 'hourly-enrich', message, data });
const REFUSED = verdictRefusedMessage(recordName('out bound', { id: '42', version: '' }), 'not_owner', {
  verdict: 'failed',
  given: null,
});
/** Proven by a probe. */
const ENDED = { ...PREVIOUS, probe: 'ended: process 4711 and its command have ended' };

const SENTENCES: readonly [about: string, said: string, sentence: string][] = [
  [
    'a skip',
    text('run.skipped', skippedMessage({ ...LOCK, skipsInRow: 1 }, 'held', 'run-2', NOW)),
    'Skipped lock "hourly-enrich": previous run still running (holder web1:4711, for 2h, lease ends 2026-01-05T06:00:00.000Z, skip 1 in a row); to release it by force: leasehold force-release hourly-enrich --reason TEXT',
  ],
  [
    'a stale lease that waits for a person',
    text('run.skipped', skippedMessage(LOCK, 'hold', 'run-2', NOW)),
    'Skipped lock "hourly-enrich": its lease is stale (holder web1:4711, age 2h) and waits for a person; when the old run is surely over: leasehold force-release hourly-enrich --reason TEXT --now',
  ],
  [
    'a streak of skips',
    text('run.skip_streak', skipStreakMessage({ ...LOCK, skipsInRow: 6 }, NOW)),
    'Lock "hourly-enrich" is stuck behind its previous run: 6 starts in a row were skipped (holder web1:4711, for 2h, lease ends 2026-01-05T06:00:00.000Z); look at that run, and to release it by force: leasehold force-release hourly-enrich --reason TEXT',
  ],
  [
    'a streak of which little is known',
    skipStreakMessage({ ...newLockState('a b'), skipsInRow: 3 }, NOW),
    'Lock "a b" is stuck behind its previous run: 3 starts in a row were skipped (holder unknown, for unknown, lease ends unknown); look at that run, and to release it by force: leasehold force-release \'a b\' --reason TEXT',
  ],
  [
    'a reclaim',
    text('lease.reclaimed', reclaimedMessage('hourly-enrich', PREVIOUS, { forced: false, releasedItself: false })),
    'Reclaimed stale lease of lock "hourly-enrich": previous holder web1:4711, lease age 2h, never renewed, probe none; the previous run may still be running; look whether the previous run still works and what it left half done: leasehold why hourly-enrich.',
  ],
  [
    'a reclaim from a run that has proven to be over',
    text('lease.reclaimed', reclaimedMessage('hourly-enrich', ENDED, { forced: false, releasedItself: false }), {
      previous: ENDED,
    }),
    'Reclaimed stale lease of lock "hourly-enrich": previous holder web1:4711, lease age 2h, never renewed, probe ended: process 4711 and its command have ended; the previous run has ended without releasing it; look what it left half done: leasehold why hourly-enrich.',
  ],
  [
    'a lost lease',
    text('lease.lost', lostMessage('hourly-enrich', 'taken_over', LOCK, NOW)),
    'Lost lock "hourly-enrich": run run-1 of holder web1:4711 took it over; stop; see that this run has stopped, and whether its lease is long enough: leasehold advise hourly-enrich.',
  ],
  [
    'a lease that its holder has given up',
    text('lease.lost', givenUpMessage('hourly-enrich', 'its lease was not renewed in time'), {
      reason: 'given_up',
      detail: 'its lease was not renewed in time',
    }),
    'Lost lock "hourly-enrich": its lease was not renewed in time; see what its run has left half done: leasehold why hourly-enrich.',
  ],
  [
    'a refused release',
    text('release.refused', releaseMessage('hourly-enrich', 'not_holder', LOCK, NOW)),
    'Not released: this token does not hold lock "hourly-enrich"; its latest run is run-1 of holder web1:4711; two runs may have overlapped, so check what both have written: leasehold runs hourly-enrich.',
  ],
  [
    'a bypass',
    text('run.bypassed', bypassedMessage('hourly-enrich', 'hotfix')),
    'Bypassed lock "hourly-enrich" (hotfix): this run holds nothing; claims still protect its records; nothing kept it from working beside another run, so check what it has written.',
  ],
  [
    'a force-release',
    text('lock.force_released', 'Force-released lock "hourly-enrich": it is free now.'),
    'Force-released lock "hourly-enrich": it is free now; see that the old run has stopped before you trust the next one: leasehold status hourly-enrich.',
  ],
  [
    'a verdict that was refused',
    alertText({ kind: 'verdict.refused', lock: null, pool: 'out bound', message: REFUSED, data: null }),
    `Refused failed for record "42" of pool "out bound": this token does not own it; somebody may have worked it beside its owner, so look what happened: leasehold events --pool 'out bound'.`,
  ],
  [
    'evidence of a former owner',
    alertText({
      kind: 'verdict.evidence',
      lock: null,
      pool: 'orders',
      message: evidenceMessage(recordName('orders', { id: '42', version: '' }), 'done'),
      data: null,
    }),
    'Kept as evidence: record "42" of pool "orders" is done; see whether claims of its pool are long enough: leasehold advise --pool orders.',
  ],
  [
    'a clock that was wrong',
    text('clock.fault', 'A clock was ahead.'),
    "A clock was ahead; check the clocks of this host and of the store's.",
  ],
  [
    'no run in N intervals',
    text('run.none_in_interval', noneInIntervalMessage({ ...LOCK, schedule: '@hourly', timezone: 'UTC' }, 0)),
    'No run of lock "hourly-enrich" got through in 3 intervals of its schedule (@hourly, UTC): the latest one started 2026-01-05T03:00:00.000Z; no start was skipped since, so look at its scheduler; to see why: leasehold why hourly-enrich',
  ],
  [
    'a lease that nears its end',
    text('lease.near_end', nearEndMessage({ ...LOCK, leaseMs: 3 * HOUR }, 50, 'held', NOW)),
    'Lock "hourly-enrich" is held past 50 % of its lease without a renewal (2h of 3h) by run run-1 of holder web1:4711; the lease ends 2026-01-05T06:00:00.000Z; for a longer lease: leasehold advise hourly-enrich',
  ],
  [
    'a store that cannot be reached',
    storeUnreachableMessage('web1', 'Store postgres://db/jobs can’t be reached; is the server up?'),
    'Nothing starts on web1 until this is mended: Store postgres://db/jobs can’t be reached; is the server up?',
  ],
  [
    'an alert that is dead',
    alertDeadMessage({ eventId: 12, kind: 'run.skipped', lock: 'hourly-enrich' }, 'ops: hooks.example answered 500'),
    'An alert is dead: event 12, run.skipped of lock "hourly-enrich", could not be delivered for 24h (ops: hooks.example answered 500); mend the channel and try it: leasehold alert test CHANNEL',
  ],
  [
    'alerts that nobody tried',
    `${alertsDeadMessage(1)} ${alertsDeadMessage(37)}`,
    '1 alert is dead: nobody tried to deliver them for 24h; let something deliver: leasehold work 37 alerts are dead: nobody tried to deliver them for 24h; let something deliver: leasehold work',
  ],
];

for (const [about, said, sentence] of SENTENCES) {
  test(`${about} is said in one sentence, with what to do`, () => {
    assert.equal(said, sentence);
    assert.doesNotMatch(said, /secret-token/);
  });
}
