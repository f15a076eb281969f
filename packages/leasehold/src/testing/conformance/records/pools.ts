import assert from 'node:assert/strict';
import { claimMessage } from '../../../domain/records/messages.ts';
import { poolChangedMessage } from '../../../domain/records/pool-messages.ts';
import type { PoolSettings } from '../../../domain/records/record.ts';
import { LeaseholdError } from '../../../errors.ts';
import { type Fact, fact } from '../stage/fact.ts';
import { HOUR, MINUTE } from '../stage/timeline.ts';
import { idsOf, LEASE, refusalsOf } from './stage/names.ts';

const DEFAULTS: PoolSettings = {
  redo: 'ask',
  redoWindowMs: null,
  attempts: 5,
  leaseMs: 10 * MINUTE,
  limit: 50,
  callTimeoutMs: 0,
  verifier: null,
};

export const poolFacts: readonly Fact[] = [
  fact('what of a pool is changed stays so, what is left out stays as it was, and it is told', async (scene) => {
    const pool = scene.pool();
    const settings: PoolSettings = {
      redo: 'safe',
      redoWindowMs: 23 * HOUR,
      attempts: 3,
      leaseMs: 20 * MINUTE,
      limit: 7,
      callTimeoutMs: MINUTE,
      verifier: '{"kind":"function","commitDelayMs":1000}',
    };
    const changed = await pool.set(settings);
    const [before, after] = [
      { settings: DEFAULTS, paused: false },
      { settings, paused: false },
    ];
    assert.deepEqual([changed.outcome, changed.paused], ['changed', false]);
    assert.equal(changed.message, poolChangedMessage('orders', before, after));
    const { verifier, ...rest } = changed.settings;
    const { verifier: expected, ...others } = settings;
    assert.deepEqual(rest, others);
    assert.deepEqual(JSON.parse(verifier ?? ''), JSON.parse(expected ?? ''));
    const event = await pool.event('settings.changed');
    assert.deepEqual([event.severity, event.pool, event.message], ['info', 'orders', changed.message]);
    const once = await pool.set({ attempts: 4 });
    assert.deepEqual([once.settings.attempts, once.settings.limit], [4, 7]);
    const { attempts, limit, redo } = await pool.status();
    assert.deepEqual([attempts, limit, redo], [4, 7, 'safe']);
  }),

  fact('a reason for a change stands in what is told of it', async (scene) => {
    const pool = scene.pool();
    const request = { pool: 'orders', settings: { attempts: 2 }, reason: 'they ban us otherwise' };
    await scene.store.changePool(request);
    const [before, after] = [
      { settings: DEFAULTS, paused: false },
      { settings: { ...DEFAULTS, attempts: 2 }, paused: false },
    ];
    const words = poolChangedMessage('orders', before, after, 'they ban us otherwise');
    assert.equal((await pool.event('settings.changed')).message, words);
  }),

  fact('a change that changes nothing is said to be none, and not told', async (scene) => {
    const pool = scene.pool();
    await pool.set({ attempts: 3 });
    const again = await pool.set({ attempts: 3 });
    assert.equal(again.outcome, 'unchanged');
    const same = { settings: again.settings, paused: false };
    assert.equal(again.message, poolChangedMessage('orders', same, same));
    assert.equal(await pool.countEvents('settings.changed'), 1);
  }),

  fact('a claim length that no call to the provider fits into is refused', async (scene) => {
    const pool = scene.pool();
    const isRefused = (error: unknown): boolean => error instanceof LeaseholdError && error.code === 'INVALID_ARGUMENT';
    await assert.rejects(pool.set({ callTimeoutMs: 11 * MINUTE }), isRefused);
    await pool.set({ callTimeoutMs: 11 * MINUTE, leaseMs: 20 * MINUTE });
    await assert.rejects(pool.set({ leaseMs: 10 * MINUTE }), isRefused);
    const { leaseMs, callTimeoutMs } = await pool.status();
    assert.deepEqual([leaseMs, callTimeoutMs], [20 * MINUTE, 11 * MINUTE]);
  }),

  fact('a paused pool hands nothing out, makes nothing known and says so, until it is resumed', async (scene) => {
    const pool = scene.pool();
    await pool.enqueue(['queued']);
    assert.equal((await pool.pause()).paused, true);
    assert.equal((await pool.status()).paused, true);
    const answers = [await pool.claim(['a', 'queued']), await pool.next()];
    for (const answer of answers) {
      assert.deepEqual([answer.outcome, answer.owned, answer.token], ['paused', [], null]);
      const words = { owned: 0, offered: null, leaseUntil: null, isRepeat: false };
      assert.equal(answer.message, claimMessage('paused', answer, words));
    }
    assert.deepEqual(refusalsOf(answers[0] ?? assert.fail()), ['a paused', 'queued paused']);
    assert.deepEqual(await pool.states(), ['queued queued']);
    assert.equal((await pool.resume()).paused, false);
    assert.deepEqual(idsOf(await pool.next()), ['queued']);
    assert.equal(await pool.countEvents('settings.changed'), 2);
  }),

  fact('a pause touches nothing under way, and the queue can be filled', async (scene) => {
    const pool = scene.pool();
    const claim = await pool.unbegun(['a', 'b', 'c'], { claimId: 'c-1', holder: 'host:1' });
    await pool.pause();
    await pool.begun(claim, 'a');
    assert.equal((await pool.done(claim, 'a')).outcome, 'accepted');
    assert.equal((await pool.extend(claim)).outcome, 'extended');
    assert.deepEqual(idsOf(await pool.claim(['a', 'b', 'c'], { claimId: 'c-1', holder: 'host:1' })), ['b', 'c']);
    assert.equal((await pool.giveBack(claim, ['c'])).returned.length, 1);
    assert.equal((await pool.enqueue(['d'])).added, 1);
    await scene.advance(LEASE);
    assert.equal((await pool.settle()).requeued, 1);
  }),

  fact('pausing twice is pausing once', async (scene) => {
    const pool = scene.pool();
    await pool.pause();
    assert.equal((await pool.pause()).outcome, 'unchanged');
    await pool.resume();
    assert.equal((await pool.resume()).outcome, 'unchanged');
    assert.equal(await pool.countEvents('settings.changed'), 2);
  }),

  fact('the counts of a pool are those of its records, whatever became of them', async (scene) => {
    const pool = scene.pool();
    await pool.set({ verifier: '{"kind":"function"}' });
    await pool.enqueue([['x', '1'], 'q']);
    await pool.enqueue([['x', '2']]);
    await pool.enqueue(['later'], { notBefore: scene.dateAt((await scene.now()) + HOUR) });
    const claim = await pool.owned(['d1', 'd2', 'f', 'r', 'c', 'u', 'again']);
    for (const id of ['d1', 'd2']) await pool.done(claim, id);
    await pool.failedForGood(claim, 'f');
    await pool.toReview(claim, 'r');
    await pool.unknown(claim, 'u');
    await pool.failed(claim, 'again');
    const { queued, deferred, claimed, toAsk, done, failed, review, cancelled } = await pool.status();
    assert.deepEqual(
      { queued, deferred, claimed, toAsk, done, failed, review, cancelled },
      { queued: 4, deferred: 2, claimed: 2, toAsk: 1, done: 2, failed: 1, review: 1, cancelled: 1 },
    );
    assert.equal(queued + claimed + done + failed + review + cancelled, (await pool.records()).length);
  }),

  fact('pools are listed by name, by every byte, and as many as asked for', async (scene) => {
    for (const name of ['b', 'a', 'B', 'ä', 'a b']) await scene.pool(name).enqueue(['x']);
    const names = async (limit: number): Promise<string[]> =>
      (await scene.store.pools({ pool: null, limit })).map(({ pool }) => pool);
    assert.deepEqual(await names(100), ['B', 'a', 'a b', 'b', 'ä']);
    assert.deepEqual(await names(2), ['B', 'a']);
  }),
];
