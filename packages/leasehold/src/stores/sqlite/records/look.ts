import type { RecordRow, RecordState } from '../../../domain/records/record.ts';
import type { RecordsQuery } from '../../../ports/record-store.ts';
import { loadSqlBlocks } from '../../sql-blocks.ts';
import type { SqlParameters, SqlRow } from '../driver.ts';
import type { Session } from '../session.ts';
import { toRecordRow } from './rows.ts';

const sql = loadSqlBlocks(new URL('../sql/record-lists.sql', import.meta.url), [
  'records_of_pool',
  'records_for_a_person',
  'claimed_records',
  'cancelled_records',
  'records_of_id',
]);

/** In the order of id and version. */
export function listRecords(session: Session, { pool, state, id, after, limit }: RecordsQuery): RecordRow[] {
  if (id !== null) {
    // A page of one id goes on after a version; one that goes on after another id is past it, or has not come to it.
    if (after !== null && Buffer.compare(Buffer.from(after.id), Buffer.from(id)) > 0) return [];
    const after_version = after?.id === id ? after.version : null;
    return session.all(sql.records_of_id, { pool, state, id, after_version, limit }).map(toRecordRow);
  }
  const page = { pool, after_id: after?.id ?? '', after_version: after?.version ?? '', limit };
  return rowsOf(session, state, page).map(toRecordRow);
}

function rowsOf(session: Session, state: RecordState | null, page: SqlParameters): SqlRow[] {
  switch (state) {
    case 'review':
    case 'failed':
      return session.all(sql.records_for_a_person, { ...page, state });
    case 'claimed':
      return session.all(sql.claimed_records, page);
    case 'cancelled':
      return session.all(sql.cancelled_records, page);
    case null:
    case 'queued':
    case 'done':
      return session.all(sql.records_of_pool, { ...page, state });
  }
}
