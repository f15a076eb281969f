import assert from 'node:assert/strict';
import { type Fact, fact } from '../stage/fact.ts';
import type { Scene } from '../stage/scene.ts';
import { LEASE, type Token } from './stage/names.ts';
import type { Pool } from './stage/pool.ts';
import { asking, takeOne } from './stage/sweep.ts';

const SAME = { holder: 'host:1', claimId: 'c-1' } as const;
const INFO = { pid: 7 };

interface Sharing {
  readonly pool: Pool;
  readonly token: Token;
}

/** What lets another process than the one that claimed work under its token. */
const SHARED_BY: Readonly<Record<string, (sharing: Sharing) => Promise<unknown>>> = {
  'a begin by token': ({ pool, token }) => pool.begun(token, 'a', true),
  'a verdict by token': ({ pool, token }) => pool.verdict(token, 'b', 'review', { error: 'x', isByToken: true }),
  'a done by token': ({ pool, token }) => pool.verdict(token, 'b', 'done', { isByToken: true }),
  'an extension by token': ({ pool, token }) =>
    pool.scene.store.extendClaim({ pool: pool.name, token: token.token, leaseMs: null, isByToken: true }),
  'a return by token': ({ pool, token }) =>
    pool.scene.store.returnUnworked({ pool: pool.name, token: token.token, ids: ['b'], isByToken: true }),
  'a repeat by another process': ({ pool }) =>
    pool.claim(['a', 'b'], { ...SAME, explicitBegin: true, holderInfo: { pid: 8 } }),
  'a repeat by another process while the pool is paused': async ({ pool }) => {
    await pool.pause();
    return await pool.claim(['c'], { ...SAME, explicitBegin: true, holderInfo: { pid: 8 }, isContinued: true });
  },
  'a repeat of which nothing is known': ({ pool }) => pool.claim(['a', 'b'], { ...SAME, explicitBegin: true }),
};

/** A claim of two, the first of them begun by the claim's own handle. */
async function claimed(scene: Scene): Promise<Sharing> {
  const pool = await asking(scene);
  const token = await pool.unbegun(['a', 'b'], { ...SAME, holderInfo: INFO });
  return { pool, token };
}

const noteEnd = ({ scene, name }: Pool): Promise<Date | null> =>
  scene.store.noteHolderEnded({ pool: name, claimId: SAME.claimId, holder: SAME.holder });

/** Whose end says that nobody sends any more. */
export const sharedClaimFacts: readonly Fact[] = [
  ...Object.entries(SHARED_BY).map(([how, share]) =>
    fact(
      `after ${how} the end of the process that claimed proves nothing: another has the token (G5)`,
      async (scene) => {
        const sharing = await claimed(scene);
        const { pool, token } = sharing;
        await pool.begun(token, 'a');
        await share(sharing);
        await scene.advance(LEASE);
        assert.equal(await noteEnd(pool), null);
        const { holder, holderInfo, holderEndedAt } = await takeOne(pool);
        assert.deepEqual([holder, holderInfo, holderEndedAt], [SAME.holder, null, null]);
      },
    ),
  ),

  fact(
    'where records begin with their claim its token sends without a word: no end of a process proves anything (G5)',
    async (scene) => {
      const pool = await asking(scene);
      await pool.owned(['a'], { ...SAME, holderInfo: INFO });
      await scene.advance(LEASE);
      assert.equal(await noteEnd(pool), null);
      const { holder, holderInfo, holderEndedAt } = await takeOne(pool);
      assert.deepEqual([holder, holderInfo, holderEndedAt], [SAME.holder, null, null]);
    },
  ),

  fact('an end that was proven before its claim was shared counts no more', async (scene) => {
    const sharing = await claimed(scene);
    const { pool, token } = sharing;
    await pool.begun(token, 'a');
    assert.ok((await noteEnd(pool)) !== null);
    await pool.begun(token, 'b', true);
    await pool.done(token, 'b');
    await scene.advance(LEASE);
    assert.equal((await takeOne(pool)).holderEndedAt, null);
  }),

  fact(
    'what the own handle of a claim says, verdicts too, and a repeat by the same process, share nothing',
    async (scene) => {
      const { pool, token } = await claimed(scene);
      await pool.begun(token, 'a');
      await pool.extend(token);
      await pool.done(token, 'b');
      await pool.giveBack(token);
      await pool.claim(['a', 'b'], { ...SAME, explicitBegin: true, holderInfo: INFO });
      await scene.advance(LEASE);
      const endedAt = await noteEnd(pool);
      assert.ok(endedAt !== null);
      const { holderInfo, holderEndedAt } = await takeOne(pool);
      assert.deepEqual([holderInfo, holderEndedAt], [INFO, endedAt]);
    },
  ),
];
