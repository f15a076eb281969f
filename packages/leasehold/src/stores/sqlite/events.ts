import { ALERT_DEAD_AFTER_MS, ALERT_LEASE_MS_MAX, dedupKeyOf, isAlerting, isSharedAlert } from '../../domain/alert.ts';
import type { EventKind, LeaseholdEvent, Severity } from '../../domain/answers.ts';
import type { EventsQuery } from '../../ports/store.ts';
import { loadSqlBlocks } from '../sql-blocks.ts';
import { readInteger, toJson } from './columns.ts';
import { toEvent } from './rows.ts';
import type { Session } from './session.ts';

const sql = loadSqlBlocks(new URL('./sql/events.sql', import.meta.url), [
  'insert_event',
  'insert_alert',
  'waiting_alert',
  'events_newest',
  'events_of_lock',
  'events_of_pool',
  'events_of_kind',
]);

/** An event to be written; `at` on the store's clock. */
export interface NewEvent {
  readonly at: number;
  readonly kind: EventKind;
  readonly severity: Severity;
  readonly lock: string | null;
  readonly pool?: string | null;
  readonly recordId?: string | null;
  readonly runId: string | null;
  readonly holder: string | null;
  readonly message: string;
  readonly data: Readonly<Record<string, unknown>> | null;
}

/** Appends an event, and its alert where it is one, in the transaction of what it tells of. */
export function appendEvent(session: Session, event: NewEvent): void {
  const row = session.get(sql.insert_event, {
    at: event.at,
    kind: event.kind,
    severity: event.severity,
    lock: event.lock,
    pool: event.pool ?? null,
    record_id: event.recordId ?? null,
    run_id: event.runId,
    holder: event.holder,
    message: event.message,
    data: toJson(event.data),
  });
  if (row === undefined || !isAlerting(event)) return;
  const dedupKey = dedupKeyOf(event);
  if (isSharedAlert(event) && hasWaitingAlert(session, dedupKey, event.at)) return;
  session.run(sql.insert_alert, { event_id: readInteger(row, 'seq'), dedup_key: dedupKey, now: event.at });
}

/** A pool of ten thousand records that need a person is one alert, not ten thousand. */
function hasWaitingAlert(session: Session, dedupKey: string, now: number): boolean {
  const limits = { now, taken_latest: now + ALERT_LEASE_MS_MAX, old: now - ALERT_DEAD_AFTER_MS };
  return session.get(sql.waiting_alert, { dedup_key: dedupKey, ...limits }) !== undefined;
}

/** Newest first; each filter has an index of its own. */
export function listEvents(session: Session, { lock, pool = null, kind, limit }: EventsQuery): LeaseholdEvent[] {
  if (lock !== null) return session.all(sql.events_of_lock, { lock, pool, kind, limit }).map(toEvent);
  if (pool !== null) return session.all(sql.events_of_pool, { pool, kind, limit }).map(toEvent);
  if (kind !== null) return session.all(sql.events_of_kind, { kind, limit }).map(toEvent);
  return session.all(sql.events_newest, { limit }).map(toEvent);
}
