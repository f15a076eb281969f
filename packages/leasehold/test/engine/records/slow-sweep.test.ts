/** Sweeps of a store that is slow, and not away. Clock: fake, shared with the embedded store. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Pool } from '../../../src/engine/records/api.ts';
import { answerLost, hangs, requestTakes } from '../scripted-store.ts';
import { openStage, type Stage } from '../stage.ts';

/** So many records whose claim is over. */
async function openExpired(count: number): Promise<Stage & { readonly pool: Pool }> {
  const stage = await openStage();
  const pool = stage.leasehold.pool('mails');
  const ids = Array.from({ length: count }, (_, n) => `r${n}`);
  await pool.claim({ ids, limit: count, begin: 'implied', leaseMs: 10_000, renewal: 'touch' });
  await stage.advance(10_000);
  return Object.assign(stage, { pool });
}

const settleCalls = ({ store }: Stage): unknown[] =>
  store.calls
    .filter(({ method }) => method === 'settleExpired')
    .map(({ request, timeoutMs }) => [request['limit'], timeoutMs]);

describe('a sweep of a slow store', () => {
  it('that runs out of its own time is incomplete and keeps what it settled; no call is cut short for it', async () => {
    await using stage = await openExpired(2_000);
    stage.store.always(requestTakes(1_500), ['settleExpired']);
    const sweeping = stage.pool.sweep({ timeoutMs: 2_000 });
    await stage.advance(1_500);
    await stage.advance(1_500);
    const { review, isComplete } = await sweeping;
    assert.deepEqual([review, isComplete], [1_000, false]);
    assert.deepEqual(settleCalls(stage), [
      [500, undefined],
      [500, undefined],
    ]);
  });

  it("at a command's end asks for little at a time, and its call ends with it; that is no outage", async () => {
    await using stage = await openExpired(300);
    stage.store.always(hangs, ['settleExpired']);
    const sweeping = stage.pool.sweep({ timeoutMs: 1_000 });
    await stage.advance(1_000);
    assert.equal((await sweeping).isComplete, false);
    assert.deepEqual(settleCalls(stage), [[100, 1_000]]);
  });

  it('that is away all the same says so', async () => {
    await using stage = await openExpired(1);
    stage.store.always(answerLost, ['settleExpired']);
    for (const timeoutMs of [1_000, 2_000]) {
      await assert.rejects(stage.pool.sweep({ timeoutMs }), { code: 'STORE_UNREACHABLE' });
    }
  });
});
