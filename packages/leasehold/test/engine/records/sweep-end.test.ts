/** How a sweep ends, and what it says then. Clock: fake, shared with the embedded store. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { LookupAnswer } from '../../../src/domain/records/lookup.ts';
import type { Pool, SweepReport } from '../../../src/engine/records/api.ts';
import type { Verifier } from '../../../src/ports/verifier.ts';
import { openStage, type Stage } from '../stage.ts';

/** So many records whose outcome nobody knows. */
async function openUnknown(count: number): Promise<Stage & { readonly pool: Pool; readonly token: string }> {
  const stage = await openStage();
  const pool = stage.leasehold.pool('mails');
  await pool.configure({ verifier: { kind: 'function' } });
  const ids = Array.from({ length: count }, (_, n) => `r${n}`);
  const claim = await pool.claim({ ids, limit: count, leaseMs: 10_000, renewal: 'touch' });
  await Promise.all(claim.owned.map((record) => record.begin()));
  await Promise.all(claim.owned.map((record) => record.unknown('timed out')));
  return Object.assign(stage, { pool, token: claim.token ?? '' });
}

const verifier = (lookup: () => LookupAnswer | Promise<LookupAnswer>): Verifier => ({
  commitDelayMs: 0,
  visibilityDelayMs: 0,
  lookup,
});
const FOUND: LookupAnswer = { kind: 'found', providerRef: 'x' };

describe('a sweep that has to end', () => {
  it('starts no look-up more once its signal has fired', async () => {
    await using stage = await openUnknown(4);
    const over = new AbortController();
    let asked = 0;
    const asks = verifier(() => {
      asked += 1;
      over.abort();
      return FOUND;
    });
    const report = await stage.pool.sweep({ verifier: asks, concurrency: 2, signal: over.signal });
    assert.deepEqual([report.isComplete, report.toAsk, report.asked], [false, 4 - asked, asked]);
    assert.ok(asked <= 2, `${asked} were asked for`);
  });

  it('starts none once its time is over', async () => {
    await using stage = await openUnknown(2);
    const asks = verifier(async () => {
      await stage.clock.sleep(5_000);
      return FOUND;
    });
    const sweeping = stage.pool.sweep({ verifier: asks, concurrency: 1, timeoutMs: 4_000 });
    await stage.advance(20_000);
    const { asked, done, toAsk, isComplete } = await sweeping;
    assert.deepEqual([asked, done, toAsk, isComplete], [1, 1, 1, false]);
  });
});

describe('what a sweep says still waits', () => {
  it('is what waits when it ends: not what others found meanwhile', async () => {
    await using stage = await openUnknown(20);
    const asks = verifier(() => FOUND);
    const ended: SweepReport[] = [];
    const sweepOnce = async (): Promise<void> => void ended.push(await stage.pool.sweep({ verifier: asks }));
    await Promise.all([sweepOnce(), sweepOnce(), sweepOnce()]);
    assert.equal(
      ended.reduce((sum, { done }) => sum + done, 0),
      20,
    );
    assert.equal(ended.at(-1)?.toAsk, 0);
  });

  it('has none that was overtaken', async () => {
    await using stage = await openUnknown(1);
    const asks = verifier(async () => {
      await stage.pool.verdict({ id: 'r0', token: stage.token, verdict: 'done' });
      return { kind: 'absent' };
    });
    const { overtaken, toAsk } = await stage.pool.sweep({ verifier: asks });
    assert.deepEqual([overtaken, toAsk], [1, 0]);
  });

  it('has none that was in review and found', async () => {
    await using stage = await openUnknown(1);
    await stage.pool.sweep({ verifier: verifier(() => ({ kind: 'unknown', error: '503' })) });
    await stage.pool.review({ id: 'r0', action: 'ask', reason: 'it is back' });
    await stage.advance(61_000);
    const { done, toAsk } = await stage.pool.sweep({ verifier: verifier(() => FOUND) });
    assert.deepEqual([done, toAsk], [1, 0]);
  });
});
