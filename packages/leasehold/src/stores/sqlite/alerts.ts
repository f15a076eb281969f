import {
  ALERT_BACKOFF_MS_MAX,
  ALERT_DEAD_AFTER_MS,
  ALERT_ERROR_LENGTH_MAX,
  ALERT_LEASE_MS_MAX,
  decideFailure,
} from '../../domain/alert.ts';
import { alertDeadMessage, alertsDeadMessage } from '../../domain/alert-messages.ts';
import type {
  AlertCounts,
  SettleAlertAnswer,
  SettleAlertRequest,
  TakeAlertsRequest,
  TakenAlert,
} from '../../ports/alert-store.ts';
import { loadSqlBlocks } from '../sql-blocks.ts';
import { readDateOrNull, readInteger, readText, readTextOrNull } from './columns.ts';
import type { SqlRow } from './driver.ts';
import { appendEvent } from './events.ts';
import { toEvent } from './rows.ts';
import type { Session } from './session.ts';

/** The outbox (ports/alert-store.ts). Its rows are written by `appendEvent`. */

const sql = loadSqlBlocks(new URL('./sql/alerts.sql', import.meta.url), [
  'next_due',
  'due_alerts',
  'take_alert',
  'untried_alerts',
  'give_up_alert',
  'alert_by_id',
  'note_delivered',
  'finish_alert',
  'put_back_alert',
  'pending_alerts',
  'newest_failure',
  'dead_alerts',
]);

/** Alerts that one call declares dead at most. */
const GIVEN_UP_MAX = 1_000;

/** What counts as due, and as free to be taken. */
function limitsOf(now: number): { now: number; latest: number; taken_latest: number } {
  return { now, latest: now + ALERT_BACKOFF_MS_MAX, taken_latest: now + ALERT_LEASE_MS_MAX };
}

/** A look that takes no write lock: most calls find nothing. */
export function hasDueAlerts(session: Session, now: number): boolean {
  return session.get(sql.next_due, limitsOf(now)) !== undefined;
}

export function takeAlerts(session: Session, request: TakeAlertsRequest, now: number): TakenAlert[] {
  giveUpUntried(session, now);
  const { taker, limit, leaseMs } = request;
  const rows = session.all(sql.due_alerts, { ...limitsOf(now), old: now - ALERT_DEAD_AFTER_MS, limit });
  return rows.map((row) => {
    session.run(sql.take_alert, { event_id: readInteger(row, 'event_id'), taker, taken_until: now + leaseMs });
    return {
      ...toEvent(row),
      alertId: readText(row, 'alert_id'),
      dedupKey: readText(row, 'dedup_key'),
      attempts: readInteger(row, 'attempts') + 1,
      deliveredTo: channelsIn(row),
    };
  });
}

/** Nobody tried them for a day, so there was nobody to try; a channel that is new must not get the past of a year. */
function giveUpUntried(session: Session, now: number): void {
  const rows = session.all(sql.untried_alerts, { old: now - ALERT_DEAD_AFTER_MS, limit: GIVEN_UP_MAX });
  if (rows.length === 0) return;
  const eventIds = rows.map((row) => readInteger(row, 'event_id'));
  for (const eventId of eventIds) session.run(sql.give_up_alert, { event_id: eventId, now, error: null });
  const message = alertsDeadMessage(eventIds.length);
  const data = { count: eventIds.length, firstEventId: eventIds[0] ?? null, error: null };
  const event = { at: now, kind: 'alert.dead', severity: 'critical', lock: null, runId: null, holder: null } as const;
  appendEvent(session, { ...event, message, data });
}

export function settleAlert(session: Session, request: SettleAlertRequest, now: number): SettleAlertAnswer {
  const row = session.get(sql.alert_by_id, { alert_id: request.alertId });
  if (row === undefined) return { outcome: 'not_taken', nextAttemptAt: null };
  const eventId = readInteger(row, 'event_id');
  const before = channelsIn(row);
  const channels = [...new Set([...before, ...request.deliveredTo])];
  if (channels.length > before.length) {
    session.run(sql.note_delivered, { event_id: eventId, delivered_to: JSON.stringify(channels) });
  }
  const state = readText(row, 'state');
  if (request.error === null && state !== 'delivered') session.run(sql.finish_alert, { event_id: eventId, now });
  if (request.error === null) return { outcome: 'delivered', nextAttemptAt: null };
  const isTaken = state === 'pending' && readTextOrNull(row, 'taken_by') === request.taker;
  return isTaken ? fail(session, row, request.error, { request, now }) : { outcome: 'not_taken', nextAttemptAt: null };
}

function fail(
  session: Session,
  row: SqlRow,
  reason: string,
  { request, now }: { readonly request: SettleAlertRequest; readonly now: number },
): SettleAlertAnswer {
  const eventId = readInteger(row, 'event_id');
  const error = Array.from(reason).slice(0, ALERT_ERROR_LENGTH_MAX).join('');
  const attempts = readInteger(row, 'attempts');
  const decision = decideFailure({ eventAt: readInteger(row, 'at'), attempts }, request.retryAfterMs, now);
  if (decision.kind === 'retry') {
    session.run(sql.put_back_alert, { event_id: eventId, next_attempt_at: decision.nextAttemptAt, error });
    return { outcome: 'retry', nextAttemptAt: new Date(decision.nextAttemptAt) };
  }
  session.run(sql.give_up_alert, { event_id: eventId, now, error });
  const lock = readTextOrNull(row, 'lock');
  appendEvent(session, {
    at: now,
    kind: 'alert.dead',
    severity: 'critical',
    lock,
    runId: readTextOrNull(row, 'run_id'),
    holder: null,
    message: alertDeadMessage({ eventId, kind: readText(row, 'kind'), lock }, error),
    data: { count: 1, firstEventId: eventId, error },
  });
  return { outcome: 'dead', nextAttemptAt: null };
}

export function alertCounts(session: Session): AlertCounts {
  const pending = session.get(sql.pending_alerts) ?? {};
  const failure = session.get(sql.newest_failure);
  const dead = session.get(sql.dead_alerts) ?? {};
  return {
    pending: readInteger(pending, 'pending'),
    dead: readInteger(dead, 'dead'),
    oldestPendingAt: readDateOrNull(pending, 'oldest_at'),
    failing: readInteger(pending, 'failing'),
    lastError: failure === undefined ? null : readText(failure, 'last_error'),
  };
}

function channelsIn(row: SqlRow): string[] {
  return (JSON.parse(readText(row, 'delivered_to')) as unknown[]).filter((each) => typeof each === 'string');
}
