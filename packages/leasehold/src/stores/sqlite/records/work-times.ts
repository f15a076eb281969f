import { percentile } from '../../../domain/advise.ts';
import type { WorkTimes } from '../../../ports/record-store.ts';
import { loadSqlBlocks } from '../../sql-blocks.ts';
import { readInteger, readText } from '../columns.ts';
import type { Session } from '../session.ts';

const sql = loadSqlBlocks(new URL('../sql/record-times.sql', import.meta.url), ['settled_records']);

/** The newest records that count: enough for a percentile, and what one read may take of the event loop. */
const RECORDS_MAX = 20_000;

/** How long records took from their claim to their verdict; of a claim's time each of its records has its share. */
export function workTimes(session: Session, pool: string): WorkTimes {
  const took: number[] = [];
  const claims = new Map<string, { tookMs: number; records: number }>();
  for (const row of session.all(sql.settled_records, { pool, limit: RECORDS_MAX })) {
    const tookMs = Math.max(0, readInteger(row, 'updated_at') - readInteger(row, 'claimed_at'));
    const claim = claims.get(readText(row, 'token')) ?? { tookMs: 0, records: 0 };
    claims.set(readText(row, 'token'), { tookMs: Math.max(claim.tookMs, tookMs), records: claim.records + 1 });
    took.push(tookMs);
  }
  const each = [...claims.values()].map(({ tookMs, records }) => tookMs / records);
  return {
    pool,
    records: took.length,
    slowestMs: took.length === 0 ? null : took.reduce((slowest, ms) => Math.max(slowest, ms), 0),
    p50Ms: took.length === 0 ? null : percentile(took, 0.5),
    p95Ms: took.length === 0 ? null : percentile(took, 0.95),
    eachP95Ms: each.length === 0 ? null : percentile(each, 0.95),
  };
}
