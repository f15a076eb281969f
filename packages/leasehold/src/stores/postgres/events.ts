import type { EventKind, LeaseholdEvent, Severity } from '../../domain/answers.ts';
import type { EventsQuery } from '../../ports/store.ts';
import { CALLS } from './calls.ts';
import type { Connection } from './connection.ts';
import { infoOrNull, instant, number, type Row, text, textOrNull } from './rows.ts';

export async function events(connection: Connection, query: EventsQuery): Promise<LeaseholdEvent[]> {
  const rows = await connection.call(CALLS.events, [query.lock, query.kind, query.limit, query.pool ?? null]);
  return rows.map(toEvent);
}

/** The event in a row, whatever else the row has. */
export function toEvent(row: Row): LeaseholdEvent {
  return {
    eventId: number(row, 'event_id'),
    at: instant(row, 'at'),
    kind: text(row, 'kind') as EventKind,
    severity: text(row, 'severity') as Severity,
    lock: textOrNull(row, 'lock'),
    pool: textOrNull(row, 'pool'),
    recordId: textOrNull(row, 'record_id'),
    runId: textOrNull(row, 'run_id'),
    holder: textOrNull(row, 'holder'),
    message: text(row, 'message'),
    data: infoOrNull(row, 'data'),
  };
}
