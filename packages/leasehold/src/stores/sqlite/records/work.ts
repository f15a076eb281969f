import { errorText } from '../../../domain/records/error-text.ts';
import { POOL_DEFAULTS } from '../../../domain/records/pool-settings.ts';
import type { WorkAnswer, WorkRequest } from '../../../ports/record-store.ts';
import type { Session } from '../session.ts';
import { beginRecord } from './begin.ts';
import { findClaimToWrite, noteShared } from './claims.ts';
import { beginPlainly, finishPlainly } from './plain-work.ts';
import { findPool } from './pools.ts';
import type { Pool, StoredClaim } from './rows.ts';
import { giveVerdict } from './verdict.ts';

/** Verdicts, then begins, in one transaction. One that is refused doesn't touch the others. */
export function work(session: Session, request: WorkRequest, now: number): WorkAnswer {
  const pool = findPool(session, request.pool) ?? unknownPool(request.pool);
  const claims = new Map<string, StoredClaim | null>();
  const findClaim = (token: string): StoredClaim | null => {
    const known = claims.get(token);
    if (known !== undefined) return known;
    const found = findClaimToWrite(session, pool.pool, token, now);
    claims.set(token, found);
    return found;
  };
  for (const { token } of [...request.verdicts, ...request.begins].filter(({ isByToken }) => isByToken === true)) {
    const claim = findClaim(token);
    noteShared(session, claim);
    if (claim !== null) claims.set(token, { ...claim, isShared: true });
  }
  const finished = finishPlainly(session, pool.pool, request.verdicts, now);
  const verdicts = request.verdicts.map(
    (item, place) =>
      finished[place] ?? giveVerdict(session, pool, { ...item, error: errorText(item.error) }, findClaim, now),
  );
  const begun = beginPlainly(session, pool, request.begins, findClaim, now);
  const begins = request.begins.map((item, place) => begun[place] ?? beginRecord(session, pool, item, findClaim, now));
  return { verdicts, begins };
}

/** Nothing is made for a verdict: a pool that nothing has touched has no record of that id. */
function unknownPool(pool: string): Pool {
  return { pool, settings: POOL_DEFAULTS, rules: { ...POOL_DEFAULTS, hasVerifier: false }, pausedAt: null };
}
