import { leavesRoom } from '../../../domain/records/decide-begin.ts';
import { begunMessage, recordName, verdictAcceptedMessage } from '../../../domain/records/messages.ts';
import type { BeginAnswer, VerdictAnswer } from '../../../domain/records/record.ts';
import type { BeginItem, VerdictItem } from '../../../ports/record-store.ts';
import { loadSqlBlocks } from '../../sql-blocks.ts';
import { readInteger, readIntegerOrNull, readText } from '../columns.ts';
import type { Session } from '../session.ts';
import type { Pool, StoredClaim } from './rows.ts';

/**
 * Work that goes as it should, each step by one statement. Null where the record is in any way like no other: then it is
 * read, and decided by the domain.
 */

const sql = loadSqlBlocks(new URL('../sql/record-plain-work.sql', import.meta.url), [
  'begin_plainly',
  'finish_plainly',
]);

export function beginPlainly(
  session: Session,
  { pool, rules }: Pool,
  { id, token }: BeginItem,
  claim: StoredClaim,
  now: number,
): BeginAnswer | null {
  if (!leavesRoom(claim.leaseUntil, rules.callTimeoutMs, now)) return null;
  const row = session.get(sql.begin_plainly, { pool, id, token, now });
  if (row === undefined) return null;
  const version = readText(row, 'version');
  const attempt = readInteger(row, 'attempt');
  return {
    outcome: 'accepted',
    pool,
    id,
    version,
    attempt,
    begunAt: new Date(now),
    // Whichever ends first: the lease, or the time by which it must be sent.
    remainingMs: Math.min(claim.leaseUntil, readIntegerOrNull(row, 'send_before') ?? Infinity) - now,
    reason: null,
    message: begunMessage(recordName(pool, { id, version }), attempt),
  };
}

export function finishPlainly(
  session: Session,
  pool: string,
  { id, token, providerRef }: VerdictItem,
  now: number,
): VerdictAnswer | null {
  const row = session.get(sql.finish_plainly, { pool, id, token, provider_ref: providerRef, now });
  if (row === undefined) return null;
  const version = readText(row, 'version');
  const stands = { state: 'done', providerRef, notBefore: null, why: null } as const;
  const message = verdictAcceptedMessage(recordName(pool, { id, version }), stands);
  return { outcome: 'accepted', pool, id, version, state: 'done', notBefore: null, reason: null, message };
}
