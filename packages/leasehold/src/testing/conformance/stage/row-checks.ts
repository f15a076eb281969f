import assert from 'node:assert/strict';
import { dedupKeyOf, isAlerting } from '../../../domain/alert.ts';
import type { EventKind, LeaseholdEvent } from '../../../domain/answers.ts';
import type { Run } from '../../../domain/run.ts';
import type { LockMarks, StoredStatus } from '../../../ports/store.ts';
import type { TakenAlert } from '../../../ports/alert-store.ts';
import {
  assertAge,
  assertCount,
  assertInstant,
  assertInstantOrNull,
  assertKeys,
  assertSentence,
  assertTextOrNull,
} from './value-checks.ts';

/** What holds for every row that a store gives back: the fields of design §11, and nothing beside them. */

const RUN_KEYS =
  'runId lock outcome reason slotAt holder holderInfo trigger fence startedAt endedAt status leaseMs renewedAt ageMs previousRunId message';
const STATUS_KEYS =
  'lock state holder holderInfo since ageMs usualMs leaseUntil remainingMs skipsInRow lastSuccessAt nextSlotAt paused schedule';
const EVENT_DATA: Readonly<Partial<Record<EventKind, readonly string[]>>> = {
  'run.skipped': ['reason', 'currentRunId'],
  'run.skip_streak': ['skipsInRow', 'currentRunId'],
  'run.already_ran': ['slotAt', 'earlierRunId'],
  'run.bypassed': ['reason'],
  'run.none_in_interval': ['since', 'overdueAt', 'skipped', 'pausedAt'],
  'lease.reclaimed': ['previous'],
  'lease.extended': ['endedAt', 'leaseUntil', 'probe'],
  'lease.lost': ['reason'],
  'lease.near_end': ['level', 'elapsedMs', 'leaseMs'],
  'release.refused': ['status'],
  'lock.force_released': ['reason', 'atOnce', 'holder', 'runId'],
  'lock.paused': ['reason'],
  'lock.resumed': ['pausedAt'],
  'clock.fault': ['endedAt', 'leaseUntil'],
  'alert.dead': ['count', 'firstEventId', 'error'],
};
/** What the data of events about records have at least. */
const RECORD_DATA: Readonly<Partial<Record<EventKind, readonly string[]>>> = {
  'record.requeued': ['version', 'reason', 'attempt', 'claimId', 'wasBegun', 'notBefore'],
  'record.review': ['version', 'reason'],
  'verdict.refused': ['version', 'verdict', 'reason'],
  'verdict.evidence': ['version'],
  'effect.doubled': ['version'],
};
const EVENT_KEYS = 'eventId at kind severity lock pool recordId runId holder message data';

export function checkRun(run: Run): void {
  assertKeys(run, RUN_KEYS.split(' '));
  assert.ok(['acquired', 'reclaimed', 'skipped', 'already_ran', 'bypassed'].includes(run.outcome), run.outcome);
  const needsReason = run.outcome === 'skipped' || run.outcome === 'bypassed';
  assert.equal(run.reason !== null, needsReason, 'a reason for a skip and for a bypass, and for nothing else');
  assertInstant(run.startedAt, 'startedAt');
  for (const key of ['slotAt', 'endedAt', 'renewedAt'] as const) assertInstantOrNull(run[key], key);
  assert.equal(run.fence !== null, run.outcome === 'acquired' || run.outcome === 'reclaimed', 'a fence for a grant');
  if (run.fence !== null) assertCount(run.fence, 'fence', 1);
  if (run.leaseMs !== null) assertCount(run.leaseMs, 'leaseMs', 1);
  assertAge(run.ageMs, 'ageMs');
  assertSentence(run.message);
  assert.ok(run.status === null || run.status === 'success' || run.status === 'failure', String(run.status));
  assert.ok(run.endedAt === null || run.endedAt >= run.startedAt, 'no run ends before it starts');
}

export function checkStatus(status: StoredStatus): void {
  assertKeys(status, STATUS_KEYS.split(' '));
  assert.ok(['free', 'cooling', 'held', 'draining', 'stale'].includes(status.state), status.state);
  assertAge(status.ageMs, 'ageMs');
  for (const key of ['since', 'leaseUntil', 'lastSuccessAt', 'nextSlotAt'] as const) {
    assertInstantOrNull(status[key], key);
  }
  if (status.remainingMs !== null) assertCount(status.remainingMs, 'remainingMs');
  assertCount(status.skipsInRow, 'skipsInRow');
  assert.equal(typeof status.paused, 'boolean', 'paused');
  if (status.state === 'held') assertCount(status.remainingMs, 'remainingMs of a held lock', 1);
}

export function checkMarks(marks: LockMarks): void {
  assertKeys(marks, ['lastSuccessSlotAt', 'progress']);
  assertInstantOrNull(marks.lastSuccessSlotAt, 'lastSuccessSlotAt');
  assertTextOrNull(marks.progress, 'progress');
}

export function checkEvent(event: LeaseholdEvent): void {
  assertKeys(event, EVENT_KEYS.split(' '));
  checkEventFields(event);
}

export function checkTakenAlert(alert: TakenAlert): void {
  assertKeys(alert, [...EVENT_KEYS.split(' '), 'alertId', 'dedupKey', 'attempts', 'deliveredTo']);
  checkEventFields(alert);
  assert.ok(isAlerting(alert), `${alert.kind}, ${alert.severity} is no alert`);
  assert.ok(alert.alertId.length >= 32, 'a random id');
  assert.equal(alert.dedupKey, dedupKeyOf(alert), 'the key of its episode');
  assertCount(alert.attempts, 'attempts', 1);
}

function checkEventFields(event: LeaseholdEvent): void {
  assertCount(event.eventId, 'eventId', 1);
  assertInstant(event.at, 'at');
  assert.ok(['info', 'warning', 'critical'].includes(event.severity), event.severity);
  for (const key of ['lock', 'pool', 'recordId', 'runId', 'holder'] as const) assertTextOrNull(event[key], key);
  assertSentence(event.message);
  assert.ok(event.data !== null, `${event.kind} has no data`);
  if (event.pool !== null) {
    checkPoolEvent(event, event.data);
    return;
  }
  const isGivenUp = event.kind === 'lease.lost' && event.data['reason'] === 'given_up';
  assertKeys(event.data, isGivenUp ? ['reason', 'detail'] : (EVENT_DATA[event.kind] ?? []));
}

function checkPoolEvent({ kind, recordId, lock, runId }: LeaseholdEvent, data: object): void {
  assert.deepEqual([lock, runId], [null, null], 'of a pool, and of no lock or run');
  const required = RECORD_DATA[kind] ?? [];
  assert.equal(recordId !== null, required.length > 0, `a record for ${kind}`);
  for (const key of required) assert.ok(key in data, `${kind} says its ${key}`);
}

/** One row a start, and fences that name one acquisition each. */
export function checkHistory(runs: readonly Run[], events: readonly LeaseholdEvent[]): void {
  const starts = new Set(runs.map((run) => JSON.stringify([run.lock, run.runId, run.holder])));
  assert.equal(starts.size, runs.length, 'one row for each start');
  const ids = events.map((event) => event.eventId);
  assert.deepEqual(
    ids,
    [...new Set(ids)].toSorted((a, b) => b - a),
    'events come newest first, each with its own id',
  );
}
