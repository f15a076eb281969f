import { ASK_MS_MAX } from '../../../domain/records/decide-lookup.ts';
import { decideSettle, type SettleDecision } from '../../../domain/records/decide-settle.ts';
import type { SettledCounts } from '../../../domain/records/record.ts';
import { oneMore, type StoredRecord } from '../../../domain/records/stored-record.ts';
import { inReview, queued } from '../../../domain/records/transitions.ts';
import type { SettleAnswer, SettleRequest } from '../../../ports/record-store.ts';
import { loadSqlBlocks } from '../../sql-blocks.ts';
import { readInteger, readIntegerOrNull, readTextOrNull } from '../columns.ts';
import type { SqlParameters, SqlRow } from '../driver.ts';
import type { Session } from '../session.ts';
import { drawInAhead } from './claims.ts';
import { countToAsk, findPool } from './pools.ts';
import { tellRequeued, tellReview } from './record-events.ts';
import { leaveToken, readRecord, writeRecord } from './records.ts';
import type { Pool } from './rows.ts';
import { cancel, freeStranded, isSuperseded } from './versions.ts';

const sql = loadSqlBlocks(new URL('../sql/record-settle.sql', import.meta.url), [
  'expired_unbegun',
  'expired_begun',
  'flagged',
  'orphans',
  'flag_orphan',
  'close_claims',
]);

/** Records that one claim settles before it takes its own. */
export const SETTLED_MAX = 1_000;
/** Finished claims that one call closes. */
const CLOSED_MAX = 1_000;

export const NOTHING_SETTLED: SettledCounts = { requeued: 0, review: 0, cancelled: 0 };

/** A record's claim as far as its row is there. */
export interface ClaimOfRecord {
  readonly claimId: string | null;
  readonly holder: string | null;
  readonly leaseUntil: number | null;
}

/** Settles what needs no provider's answer, at most `limit` records, and closes the claims that are finished. */
export function settleExpired(session: Session, pool: Pool, limit: number, now: number): SettledCounts {
  drawInAhead(session, pool.pool, now);
  const settlesBegun = waitsFor(pool, now);
  const scene = { pool: pool.pool, now };
  const counts = { requeued: 0, review: 0, cancelled: 0 };
  const settleFound = (statement: string, parameters: SqlParameters): void => {
    const left = limit - counts.requeued - counts.review - counts.cancelled;
    if (left <= 0) return;
    for (const row of session.all(statement, { ...parameters, limit: left })) {
      const settled = settleRecord(session, pool, readRecord(session, readInteger(row, 'no')), claimIn(row), now);
      if (settled !== null) counts[settled] += 1;
    }
  };
  settleFound(sql.expired_unbegun, scene);
  settleFound(sql.expired_begun, { pool: pool.pool, ...settlesBegun });
  settleFound(sql.flagged, { pool: pool.pool, ...settlesBegun });
  session.run(sql.close_claims, { ...scene, limit: CLOSED_MAX });
  return counts;
}

/** Which of the begun and flagged records can be settled without asking; what is decided of each is `decideSettle`'s. */
function waitsFor(
  { rules }: Pool,
  now: number,
): { before: number; all: number; unanswered: number; first_begun_after: number | null } {
  const isSafe = rules.redo === 'safe';
  const isAll = !rules.hasVerifier || (isSafe && rules.redoWindowMs === null);
  const unanswered = now - ASK_MS_MAX;
  const hasWindow = isSafe && rules.redoWindowMs !== null;
  return {
    before: isAll || hasWindow ? now : unanswered,
    all: isAll ? 1 : 0,
    unanswered,
    first_begun_after: hasWindow ? now - (rules.redoWindowMs ?? 0) + rules.callTimeoutMs : null,
  };
}

function claimIn(row: SqlRow): ClaimOfRecord {
  return {
    claimId: readTextOrNull(row, 'claim_id'),
    holder: readTextOrNull(row, 'holder'),
    leaseUntil: readIntegerOrNull(row, 'lease_until'),
  };
}

/** Settles one record whose claim is over, or which is flagged. Null where it waits for its provider's answer. */
export function settleRecord(
  session: Session,
  pool: Pool,
  record: StoredRecord,
  claim: ClaimOfRecord,
  now: number,
): keyof SettledCounts | null {
  const isOld = isSuperseded(session, record);
  const decision = decideSettle({ ...record, hasNewer: isOld }, claim.leaseUntil, pool.rules, now);
  switch (decision.kind) {
    case 'ask':
      return null;
    case 'cancel':
      cancel(session, record, now);
      return 'cancelled';
    case 'requeue':
      requeueExpired(session, record, claim, decision, now);
      return 'requeued';
    case 'review': {
      const { reason, times } = decision;
      const words = reason === 'attempts' ? record.error : null;
      writeRecord(session, inReview(record, tellReview(session, record, { reason, claim, words, times }, now), now));
      return 'review';
    }
  }
}

function requeueExpired(
  session: Session,
  record: StoredRecord,
  claim: ClaimOfRecord,
  { wasBegun, sendBefore }: Extract<SettleDecision, { kind: 'requeue' }>,
  now: number,
): void {
  const { claimId, holder } = claim;
  const known = claimId === null || holder === null ? null : { claimId, holder };
  leaveToken(session, record, known, record.verdict, now);
  const idleRequeues = wasBegun ? record.idleRequeues : oneMore(record.idleRequeues);
  writeRecord(session, queued({ ...record, idleRequeues }, { notBefore: null, sendBefore }, now));
  tellRequeued(session, record, { reason: 'expired', claim, words: null, notBefore: null }, now);
}

/** The same as a call of its own; also what is claimed by nobody. */
export function settle(session: Session, { pool: name, limit }: SettleRequest, now: number): SettleAnswer {
  const pool = findPool(session, name);
  if (pool === null) return { pool: name, ...NOTHING_SETTLED, toAsk: 0, isComplete: true };
  freeStranded(session, name, limit);
  const counts = { ...settleExpired(session, pool, limit, now) };
  const settled = (): number => counts.requeued + counts.review + counts.cancelled;
  if (settled() < limit) {
    for (const row of session.all(sql.orphans, { pool: name, now, limit: limit - settled() })) {
      const no = readInteger(row, 'no');
      const came = settleRecord(session, pool, readRecord(session, no), claimIn(row), now);
      // No open claim leads to it: what waits for its provider's answer is flagged, or no sweep would find it.
      if (came === null) session.run(sql.flag_orphan, { no, now });
      else counts[came] += 1;
    }
  }
  return { pool: name, ...counts, toAsk: countToAsk(session, name, now), isComplete: settled() < limit };
}
