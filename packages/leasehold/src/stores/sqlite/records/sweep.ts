import { decideSettle } from '../../../domain/records/decide-settle.ts';
import type { StoredRecord } from '../../../domain/records/stored-record.ts';
import type { AskedRecord, TakeToAskRequest } from '../../../ports/record-store.ts';
import { loadSqlBlocks } from '../../sql-blocks.ts';
import { readIntegerOrNull, readObjectOrNull, readTextOrNull } from '../columns.ts';
import type { SqlRow } from '../driver.ts';
import type { Session } from '../session.ts';
import { findPool } from './pools.ts';
import { type Pool, toStoredRecord } from './rows.ts';
import { seenOf } from './seen.ts';

const sql = loadSqlBlocks(new URL('../sql/record-lookups.sql', import.meta.url), [
  'expired_to_ask',
  'flagged_to_ask',
  'orphans_to_ask',
  'reviewed_to_ask',
  'note_asked',
]);

/** Records whose provider has to be asked, each for this sweep alone until `everyMs` are over. */
export function takeToAsk(session: Session, request: TakeToAskRequest, now: number): AskedRecord[] {
  const pool = findPool(session, request.pool);
  if (pool === null || !pool.rules.hasVerifier) return [];
  const asked: AskedRecord[] = [];
  const nos: number[] = [];
  for (const statement of [sql.flagged_to_ask, sql.expired_to_ask, sql.reviewed_to_ask, sql.orphans_to_ask]) {
    const limit = request.limit - asked.length;
    if (limit <= 0) break;
    const rows = session.all(statement, { pool: pool.pool, now, asked_before: now - request.everyMs, limit });
    for (const row of rows) {
      const record = toStoredRecord(row);
      if (!mustAsk(pool, record, readIntegerOrNull(row, 'lease_until'), now)) continue;
      asked.push(toAsked(row, record, now));
      nos.push(record.no);
    }
  }
  if (nos.length > 0) session.run(sql.note_asked, { nos: JSON.stringify(nos), now });
  return asked;
}

/** What can be settled without the provider is, by the next call that settles. */
function mustAsk(pool: Pool, record: StoredRecord, leaseUntil: number | null, now: number): boolean {
  return record.state === 'review' || decideSettle(record, leaseUntil, pool.rules, now).kind === 'ask';
}

/**
 * Only what a sender said, or its proven end, tells when it stopped sending. A record that was flagged because its provider
 * may no longer know its key had another sender before, of whom that isn't known: neither counts then.
 */
function toAsked(row: SqlRow, record: StoredRecord, now: number): AskedRecord {
  const claimId = readTextOrNull(row, 'claim_id');
  const holder = readTextOrNull(row, 'holder');
  const leaseUntil = readIntegerOrNull(row, 'lease_until');
  const isKnown = claimId !== null && holder !== null && leaseUntil !== null;
  const seen = seenOf(record, isKnown ? { claimId, holder, leaseUntil } : null);
  const isSaid = record.verdict === 'unknown';
  const isFlagged = record.unknownAt !== null;
  const holderEndedAt = isFlagged && !isSaid ? null : readIntegerOrNull(row, 'holder_ended_at');
  return {
    pool: record.pool,
    id: record.id,
    version: record.version,
    effectKey: record.effectKey,
    payload: readTextOrNull(row, 'payload'),
    providerRef: record.providerRef ?? record.evidenceRef,
    claimId: seen.claimId,
    holder: seen.holder,
    holderInfo: readObjectOrNull(row, 'holder_info'),
    attempt: record.attempt,
    begunAt: new Date(seen.begunAt),
    firstBegunAt: new Date(seen.firstBegunAt),
    leaseUntil: new Date(seen.leaseUntil),
    unknownAt: isSaid && record.unknownAt !== null ? new Date(record.unknownAt) : null,
    sendBefore: record.sendBefore === null ? null : new Date(record.sendBefore),
    holderEndedAt: holderEndedAt === null ? null : new Date(holderEndedAt),
    askedAt: new Date(now),
    askSince: new Date(record.askSince ?? now),
    isInReview: record.state === 'review',
  };
}
