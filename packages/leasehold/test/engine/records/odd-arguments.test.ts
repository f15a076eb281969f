/** Arguments as JavaScript callers give them by mistake. Clock: fake; the store is real. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Claim } from '../../../src/engine/records/claim-api.ts';
import type { Pool } from '../../../src/engine/records/api.ts';
import { hangs } from '../scripted-store.ts';
import { openStage, type Stage } from '../stage.ts';

interface Scene extends Stage {
  readonly pool: Pool;
}

async function openScene(): Promise<Scene> {
  const stage = await openStage();
  return Object.assign(stage, { pool: stage.leasehold.pool('mails') });
}

const refusedArgument = { code: 'INVALID_ARGUMENT' };
/** As JavaScript hands it over, without its types. */
const loosely = (value: unknown): never => value as never;

describe('a claim', () => {
  it('whose options are misspelt or undefined takes nothing instead of the next ones of the queue', async () => {
    await using scene = await openScene();
    await scene.pool.enqueue(['a', 'b']);
    for (const options of [{ id: ['q'] }, { ids: undefined }, { lockToken: undefined }, { lock: undefined }]) {
      await assert.rejects(scene.pool.claim(loosely(options)), refusedArgument, JSON.stringify(options));
    }
    assert.ok((await scene.pool.records()).every(({ state }) => state === 'queued'));
    assert.equal((await scene.pool.claim(loosely({ limit: undefined, signal: undefined }))).owned.length, 2);
  });

  it('refuses an offer of which a word is misspelt, and gets the others', async () => {
    await using scene = await openScene();
    const misspelt = { id: 'a', versoin: '2' };
    const claim = await scene.pool.claim({ ids: [loosely(misspelt), 'b'] });
    assert.deepEqual(
      claim.refused.map((each) => [each.id, each.why, 'message' in each ? each.message : null]),
      [['a', 'invalid', '"versoin" is not known; a record has id, version, payload, notBefore']],
    );
    assert.deepEqual(
      (await scene.pool.records()).map(({ id }) => id),
      ['b'],
    );
  });

  it('of which one offer can not be read gets the others', async () => {
    await using scene = await openScene();
    const broken = {
      get id(): string {
        throw new Error('no row');
      },
    };
    const halfBroken = {
      id: 'h',
      get payload(): string {
        throw new Error('no blob');
      },
    };
    const claim = await scene.pool.claim({ ids: ['a', broken, halfBroken, 'b'] });
    assert.deepEqual(
      claim.owned.map(({ id }) => id),
      ['a', 'b'],
    );
    assert.deepEqual(
      claim.refused.map((refused) => [refused.id, refused.why, 'message' in refused && refused.message]),
      [
        ['', 'invalid', "record can't be read: no row"],
        ['h', 'invalid', "record can't be read: no blob"],
      ],
    );
  });
});

describe('a failure', () => {
  const begun = async (scene: Scene): Promise<Claim> => {
    const claim = await scene.pool.claim({ ids: ['a'] });
    await claim.owned[0]?.begin();
    return claim;
  };

  it('whose options are none is refused, and not taken for one that is tried again', async () => {
    await using scene = await openScene();
    const [record] = (await begun(scene)).owned;
    for (const options of [true, null, { permanent: 'yes' }, { permament: true }]) {
      const answer = await record?.fail('no mailbox', loosely(options));
      assert.deepEqual([answer?.outcome, answer?.reason], ['refused', 'invalid'], JSON.stringify(options));
    }
    const misspelt = await record?.fail('no mailbox', loosely({ permament: true }));
    assert.equal(misspelt?.message, 'a failure has no option "permament"; it has permanent');
    assert.equal((await record?.fail('no mailbox', { permanent: true }))?.state, 'failed');
  });

  it('keeps what caused it', async () => {
    await using scene = await openScene();
    const [record] = (await begun(scene)).owned;
    await record?.unknown(new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED 127.0.0.1:25') }));
    const [row] = await scene.pool.records();
    assert.equal(row?.error, 'fetch failed: connect ECONNREFUSED 127.0.0.1:25');
  });
});

describe('a pool whose repeats are safe for a time', () => {
  it('is refused where that is no longer than one call, whichever of them is changed last', async () => {
    await using scene = await openScene();
    await assert.rejects(
      scene.pool.configure({ redo: 'safe', redoWindowMs: 60_000, callTimeoutMs: 60_000 }),
      refusedArgument,
    );
    await scene.pool.configure({ redo: 'safe', redoWindowMs: 60_001, callTimeoutMs: 60_000 });
    await assert.rejects(scene.pool.configure({ callTimeoutMs: 70_000 }), refusedArgument);
    await scene.pool.configure({ redo: 'ask', callTimeoutMs: 70_000 });
    await assert.rejects(scene.pool.configure({ redo: 'safe' }), refusedArgument);
    await scene.pool.configure({ redo: 'safe', redoWindowMs: null });
  });
});

describe('a begin during an outage', () => {
  it('is refused once the signal fires, with what is known of the record', async () => {
    await using scene = await openScene();
    const claim = await scene.pool.claim({ ids: [{ id: 'a', version: '7' }], leaseMs: 10_000 });
    scene.store.always(hangs, ['work', 'extendClaim']);
    const beginning = claim.owned[0]?.begin();
    await scene.advance(30_000);
    const { outcome, reason, version, attempt } = (await beginning) ?? {};
    assert.deepEqual([outcome, reason, version, attempt], ['refused', 'lease_over', '7', null]);
  });

  it('is given up after a minute where the lease is longer, and throws', async () => {
    await using scene = await openScene();
    const claim = await scene.pool.claim({ ids: ['a'], leaseMs: 600_000 });
    scene.store.always(hangs, ['work']);
    const ended = assert.rejects(Promise.resolve(claim.owned[0]?.begin()), { code: 'STORE_UNREACHABLE' });
    await scene.advance(80_000);
    await ended;
    assert.ok(claim.trustRemainingMs() > 0);
  });
});
