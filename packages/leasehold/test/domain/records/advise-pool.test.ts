import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { advisePool, type WorkedSample } from '../../../src/domain/records/advise-pool.ts';

const POOL = { pool: 'mails', leaseMs: 600_000, limit: 50 };
const sample = (slowestMs: number | null, eachP95Ms: number | null): WorkedSample => ({
  records: slowestMs === null ? 0 : 100,
  slowestMs,
  p50Ms: slowestMs,
  p95Ms: slowestMs,
  eachP95Ms,
});

describe('advice for a pool', () => {
  it('is twice the slowest time from claim to verdict, in whole seconds inside the limits of a lease', () => {
    const advised = [130_200, 3, 40 * 86_400_000].map((slowest) => advisePool(sample(slowest, 1), POOL).leaseMs);
    assert.deepEqual(advised, [261_000, 1_000, 31 * 86_400_000]);
  });

  it('is as many records as fit into half of the claim that is advised, whatever is set', () => {
    const fits = [20_000, 400_000, 0].map((each) => advisePool(sample(100_000, each), POOL).limit);
    assert.deepEqual(fits, [5, 1, 10_000]);
  });

  it('is nothing where no record has its verdict yet', () => {
    const { leaseMs, limit, warnings } = advisePool(sample(null, null), POOL);
    assert.deepEqual([leaseMs, limit, warnings], [null, null, []]);
  });

  it('warns of a claim that is too short, and of one that is too full', () => {
    assert.deepEqual(advisePool(sample(900_000, 20_000), POOL).warnings, [
      'A claim lasts 10m, and a record took 15m from claim to verdict: without renewal its records go to others before they are done.',
      'A claim gets up to 50 records, and 15 fit into 10m: the last ones of a claim may not begin in time.',
    ]);
    assert.deepEqual(advisePool(sample(300_000, 6_000), POOL).warnings, []);
  });
});
