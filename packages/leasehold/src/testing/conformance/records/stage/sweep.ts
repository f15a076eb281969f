import assert from 'node:assert/strict';
import type { LookupDecision } from '../../../../domain/records/lookup.ts';
import type { ApplyLookupAnswer, AskedRecord } from '../../../../ports/record-store.ts';
import type { Scene } from '../../stage/scene.ts';
import { MINUTE } from '../../stage/timeline.ts';
import { type Claim, LEASE } from './names.ts';
import type { Pool } from './pool.ts';

/** What stands in a pool whose provider can be asked. */
export const VERIFIER = '{"kind":"function"}';

/** How soon a record is asked for again. */
export const EVERY: number = 5 * MINUTE;

export function takeToAsk(pool: Pool, limit = 100, everyMs: number = EVERY): Promise<AskedRecord[]> {
  return pool.scene.store.takeToAsk({ pool: pool.name, limit, everyMs });
}

/** The one record that is to be asked for. */
export async function takeOne(pool: Pool): Promise<AskedRecord> {
  const [record, ...rest] = await takeToAsk(pool);
  assert.ok(record !== undefined && rest.length === 0, `one record to ask for, not ${rest.length + (record ? 1 : 0)}`);
  return record;
}

export function apply(pool: Pool, seen: AskedRecord, decision: LookupDecision): Promise<ApplyLookupAnswer> {
  const { id, version, claimId, holder, attempt, begunAt, leaseUntil } = seen;
  return pool.scene.store.applyLookup({
    seen: { pool: pool.name, id, version, claimId, holder, attempt, begunAt, leaseUntil },
    decision,
  });
}

/** A pool whose provider can be asked. */
export async function asking(scene: Scene): Promise<Pool> {
  const pool = scene.pool();
  await pool.set({ verifier: VERIFIER });
  return pool;
}

/** A record that its claimer's process has begun, and whose claim is over, in a pool whose provider can be asked. */
export async function doubtful(scene: Scene): Promise<{ readonly pool: Pool; readonly claim: Claim }> {
  const pool = await asking(scene);
  const by = { holder: 'host:1', claimId: 'c-1', payload: '"x"', holderInfo: { pid: 7 } };
  const claim = await pool.unbegun(['a'], by);
  await pool.begun(claim, 'a');
  await scene.advance(LEASE);
  return { pool, claim };
}
