/** Sweeps: what is asked of a provider, and what follows. Clock: fake, shared with the embedded store. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { LookupAnswer } from '../../../src/domain/records/lookup.ts';
import type { Pool, SweepReport } from '../../../src/engine/records/api.ts';
import type { Probe } from '../../../src/ports/probe.ts';
import type { AskedEffect, Verifier } from '../../../src/ports/verifier.ts';
import { openStage, type Stage, type StageOptions } from '../stage.ts';

interface Scene extends Stage {
  readonly pool: Pool;
}

const DELAYS = { commitDelayMs: 1_000, visibilityDelayMs: 2_000 };

/** A pool that asks, whose record `a` was begun by a claim that nobody renews. */
async function openScene(options: StageOptions = {}, verdict: 'unknown' | null = 'unknown'): Promise<Scene> {
  const stage = await openStage(options);
  const pool = stage.leasehold.pool('mails');
  await pool.configure({ verifier: { kind: 'function' } });
  const claim = await pool.claim({ ids: [{ id: 'a', payload: { to: 'x' } }], leaseMs: 10_000, renewal: 'touch' });
  await claim.owned[0]?.begin();
  if (verdict === 'unknown') await claim.owned[0]?.unknown('timed out');
  return Object.assign(stage, { pool });
}

function verifier(
  answer: LookupAnswer | (() => unknown),
  more: Partial<Verifier> = {},
): Verifier & { asked: AskedEffect[] } {
  const asked: AskedEffect[] = [];
  return {
    ...DELAYS,
    ...more,
    asked,
    lookup: (effect) => {
      asked.push(effect);
      return (typeof answer === 'function' ? answer() : answer) as LookupAnswer;
    },
  };
}

const stateOf = async ({ pool }: Scene): Promise<unknown[]> => {
  const [row] = await pool.records({ id: 'a' });
  return [row?.state, row?.providerRef];
};
const counts = ({ done, requeued, review, waiting, asked, overtaken }: SweepReport): unknown => ({
  done,
  requeued,
  review,
  waiting,
  asked,
  overtaken,
});
const NONE = { done: 0, requeued: 0, review: 0, waiting: 0, asked: 0, overtaken: 0 };

describe('a record whose outcome its sender does not know', () => {
  it('that the provider has is done, and nothing is sent', async () => {
    await using scene = await openScene();
    const asks = verifier({ kind: 'found', providerRef: 'mail-7' });
    assert.deepEqual(counts(await scene.pool.sweep({ verifier: asks })), { ...NONE, done: 1, asked: 1 });
    assert.deepEqual(await stateOf(scene), ['done', 'mail-7']);
    const [row] = await scene.pool.records();
    assert.deepEqual(
      asks.asked.map(({ id, effectKey, payload, attempt }) => [id, effectKey, payload, attempt]),
      [['a', row?.effectKey, { to: 'x' }, 1]],
    );
  });

  it('that the provider does not have is asked for again while an effect could be late, and then queued', async () => {
    await using scene = await openScene();
    const asks = verifier({ kind: 'absent' });
    assert.deepEqual(counts(await scene.pool.sweep({ verifier: asks })), { ...NONE, waiting: 1, asked: 1 });
    await scene.advance(1_000);
    assert.deepEqual(counts(await scene.pool.sweep({ verifier: asks })), NONE, 'not again within a minute');
    await scene.advance(60_000);
    assert.deepEqual(counts(await scene.pool.sweep({ verifier: asks })), { ...NONE, requeued: 1, asked: 1 });
    assert.deepEqual(await stateOf(scene), ['queued', null]);
  });

  it('that the provider has not decided waits', async () => {
    await using scene = await openScene();
    const report = await scene.pool.sweep({ verifier: verifier({ kind: 'pending' }) });
    assert.deepEqual([counts(report), report.toAsk, report.isComplete], [{ ...NONE, waiting: 1, asked: 1 }, 1, true]);
  });

  for (const [what, answer, words] of [
    [
      'throws',
      () => {
        throw new Error('HTTP 503');
      },
      'HTTP 503',
    ],
    [
      'throws nothing',
      () => {
        throw '' as unknown as Error;
      },
      'the look-up failed',
    ],
    ['rejects', () => Promise.reject(new Error('HTTP 503')), 'HTTP 503'],
    ['does not know', () => ({ kind: 'unknown', error: 'no access' }), 'no access'],
    ['does not know why', () => ({ kind: 'unknown' }), 'it gave no reason'],
    ['talks nonsense', () => 'yes', 'its answer is none of found, absent, pending, unknown'],
    ['answers nothing', () => undefined, 'its answer is none of found, absent, pending, unknown'],
    [
      'names no reference',
      () => ({ kind: 'found', providerRef: '' }),
      'provider reference is empty; give it 1 to 4096 bytes',
    ],
  ] as const) {
    it(`whose look-up ${what} goes to review, since that is no answer`, async () => {
      await using scene = await openScene();
      const report = await scene.pool.sweep({ verifier: verifier(answer) });
      assert.deepEqual(counts(report), { ...NONE, review: 1, asked: 1 });
      const [row] = await scene.pool.records({ id: 'a' });
      assert.deepEqual(
        [row?.state, row?.error],
        ['review', `its provider was asked: the provider could not say: ${words}`],
      );
    });
  }

  it('whose look-up fails is told to the log', async () => {
    await using scene = await openScene();
    await scene.pool.sweep({ verifier: verifier(() => Promise.reject(new Error('HTTP 503'))) });
    assert.deepEqual(
      scene.log.map(({ level, message }) => [level, message]),
      [['warn', 'The look-up of record "a" of pool "mails" failed.']],
    );
  });

  it('whose look-up hangs goes to review when its time is over, and the look-up is told', async () => {
    await using scene = await openScene();
    let isOver = false;
    const hanging: Verifier = {
      ...DELAYS,
      lookupTimeoutMs: 5_000,
      lookup: (_effect, signal) =>
        new Promise(() => {
          signal.addEventListener('abort', () => {
            isOver = true;
          });
        }),
    };
    const sweeping = scene.pool.sweep({ verifier: hanging });
    await scene.advance(5_000);
    assert.deepEqual(counts(await sweeping), { ...NONE, review: 1, asked: 1 });
    assert.equal(isOver, true);
    assert.match((await scene.pool.records())[0]?.error ?? '', /no answer within 5s/);
  });

  it('whose sender speaks while its provider is asked is left to its sender', async () => {
    await using stage = await openStage();
    const pool = stage.leasehold.pool('mails');
    await pool.configure({ verifier: { kind: 'function' } });
    const claim = await pool.claim({ ids: ['a'], leaseMs: 10_000, renewal: 'touch' });
    await claim.owned[0]?.begin();
    await stage.advance(10_000);
    const asks: Verifier = {
      ...DELAYS,
      lookup: async () => {
        await claim.owned[0]?.done('mail-7');
        return { kind: 'found', providerRef: 'another' };
      },
    };
    const report = await pool.sweep({ verifier: asks });
    assert.deepEqual(counts(report), { ...NONE, asked: 1, overtaken: 1 });
    assert.equal((await pool.records())[0]?.providerRef, 'mail-7');
  });
});

describe('a record of a sender that says nothing', () => {
  const ended: Probe = { system: 'process', ask: async () => ({ state: 'ended', detail: 'process 1 has ended' }) };
  const workInfo = { host: 'host', pid: 1, probe: 'process' };

  it('that the provider does not have goes to review while the sender may be alive', async () => {
    await using scene = await openScene({ workInfo }, null);
    await scene.advance(20_000);
    assert.deepEqual(counts(await scene.pool.sweep({ verifier: verifier({ kind: 'absent' }) })), {
      ...NONE,
      review: 1,
      asked: 1,
    });
  });

  it('and is proven to have ended is queued again, once nothing of it can be under way', async () => {
    await using scene = await openScene({ probes: [ended], workInfo }, null);
    await scene.advance(20_000);
    const asks = verifier({ kind: 'absent' });
    assert.deepEqual(counts(await scene.pool.sweep({ verifier: asks })), { ...NONE, waiting: 1, asked: 1 });
    await scene.advance(60_000);
    assert.deepEqual(counts(await scene.pool.sweep({ verifier: asks })), { ...NONE, requeued: 1, asked: 1 });
  });

  it('is asked after once a claim, however many records it has', async () => {
    let asked = 0;
    const counting: Probe = {
      system: 'process',
      ask: async () => ({ state: asked++ < 0 ? 'ended' : 'alive', detail: '' }),
    };
    await using scene = await openScene({ probes: [counting], workInfo }, null);
    const claim = await scene.pool.claim({ ids: ['b', 'c', 'd'], leaseMs: 10_000, renewal: 'touch' });
    for (const record of claim.owned) await record.begin();
    await scene.advance(20_000);
    const report = await scene.pool.sweep({ verifier: verifier({ kind: 'absent' }) });
    assert.deepEqual([report.asked, asked], [4, 2]);
  });

  it('whose provider still knows our key is queued again, to be sent before it forgets', async () => {
    await using scene = await openScene({ workInfo }, null);
    await scene.advance(20_000);
    const asks = verifier({ kind: 'absent' }, { idempotencyWindowMs: 3_600_000 });
    assert.deepEqual(counts(await scene.pool.sweep({ verifier: asks })), { ...NONE, requeued: 1, asked: 1 });
  });
});

describe('a sweep', () => {
  it('without a verifier settles what needs no answer, and counts what waits for one', async () => {
    await using scene = await openScene();
    await scene.pool.claim({ ids: ['b'], leaseMs: 10_000, renewal: 'touch' });
    await scene.advance(10_000);
    const report = await scene.pool.sweep();
    assert.deepEqual([counts(report), report.toAsk], [{ ...NONE, requeued: 1 }, 1]);
  });

  it('of a pool that does not say that it can be asked is refused: its records would be in review', async () => {
    await using scene = await openScene();
    await scene.pool.configure({ verifier: null });
    await assert.rejects(scene.pool.sweep({ verifier: verifier({ kind: 'absent' }) }), {
      code: 'INVALID_ARGUMENT',
      message:
        'pool "mails" does not say that its provider can be asked, so what expires goes to review; set it once: configure({ verifier: { kind: \'function\' } })',
    });
  });

  it('asks about so many at a time, and about all', async () => {
    await using stage = await openStage();
    const pool = stage.leasehold.pool('mails');
    await pool.configure({ verifier: { kind: 'function' } });
    const claim = await pool.claim({ ids: Array.from({ length: 25 }, (_, n) => `r${n}`) });
    await Promise.all(claim.owned.map((record) => record.begin()));
    await Promise.all(claim.owned.map((record) => record.unknown('timed out')));
    let [underWay, most] = [0, 0];
    const asks: Verifier = {
      ...DELAYS,
      lookup: async ({ id }) => {
        most = Math.max(most, ++underWay);
        await stage.clock.sleep(100);
        underWay -= 1;
        return { kind: 'found', providerRef: `mail-${id}` };
      },
    };
    const sweeping = pool.sweep({ verifier: asks, concurrency: 4 });
    await stage.advance(2_000);
    assert.deepEqual([(await sweeping).done, most], [25, 4]);
  });

  it('takes no more once its time or its signal is over, and says so', async () => {
    await using stage = await openStage();
    const pool = stage.leasehold.pool('mails');
    await pool.configure({ verifier: { kind: 'function' } });
    const claim = await pool.claim({ ids: Array.from({ length: 25 }, (_, n) => `r${n}`) });
    await Promise.all(claim.owned.map((record) => record.begin()));
    await Promise.all(claim.owned.map((record) => record.unknown('timed out')));
    const slow: Verifier = {
      ...DELAYS,
      lookup: async () => {
        await stage.clock.sleep(1_000);
        return { kind: 'found', providerRef: null };
      },
    };
    const sweeping = pool.sweep({ verifier: slow, concurrency: 1, timeoutMs: 1_500 });
    await stage.advance(3_000);
    assert.deepEqual([(await sweeping).done, (await sweeping).isComplete], [2, false]);
    const stopped = await pool.sweep({ verifier: slow, signal: AbortSignal.abort() });
    assert.deepEqual([stopped.asked, stopped.isComplete], [0, false]);
  });

  it('that a person wants asks for a record in review', async () => {
    await using scene = await openScene();
    await scene.pool.sweep({ verifier: verifier({ kind: 'unknown', error: 'no access' }) });
    assert.deepEqual(await stateOf(scene), ['review', null]);
    await scene.pool.review({ id: 'a', action: 'ask', reason: 'access is back' });
    await scene.pool.sweep({ verifier: verifier({ kind: 'found', providerRef: 'mail-7' }) });
    assert.deepEqual(await stateOf(scene), ['done', 'mail-7']);
  });
});
