import assert from 'node:assert/strict';
import { type Fact, fact } from '../stage/fact.ts';
import { HOUR } from '../stage/timeline.ts';
import { idsOf, refusalsOf } from './stage/names.ts';

export const versionFacts: readonly Fact[] = [
  fact('a newer version cancels an older one that is queued and was never begun', async (scene) => {
    const pool = scene.pool();
    await pool.enqueue([['a', '1'], 'b']);
    const answer = await pool.enqueue([
      ['a', '2'],
      ['b', 'x'],
    ]);
    assert.deepEqual(answer, { pool: 'orders', added: 2, known: 0, superseded: 2 });
    assert.deepEqual(await pool.states(), ['a/1 cancelled', 'a/2 queued', 'b cancelled', 'b/x queued']);
    assert.equal((await pool.record(['a', '1'])).error, 'superseded by a newer version');
    assert.deepEqual(idsOf(await pool.next()), ['a/2', 'b/x']);
  }),

  fact('newer is what arrived later, whatever it is called', async (scene) => {
    const pool = scene.pool();
    await pool.enqueue([['a', '9']]);
    await pool.enqueue([['a', '1']]);
    assert.deepEqual(await pool.states(), ['a/1 queued', 'a/9 cancelled']);
    const again = await pool.enqueue([['a', '9']]);
    assert.deepEqual([again.known, again.superseded], [1, 0], 'one that comes again is no newer one');
    assert.deepEqual(await pool.states(), ['a/1 queued', 'a/9 cancelled']);
  }),

  fact('a claim by id of a newer version cancels the older one and owns the newer', async (scene) => {
    const pool = scene.pool();
    await pool.enqueue([['a', '1']]);
    const claim = await pool.claim([['a', '2']]);
    assert.deepEqual(idsOf(claim), ['a/2']);
    assert.deepEqual(await pool.states(), ['a/1 cancelled', 'a/2 claimed']);
    assert.deepEqual(refusalsOf(await pool.claim([['a', '1']])), ['a/1 cancelled']);
  }),

  fact(
    'a newer version waits for the verdict of one that is claimed: no two of an id are worked at once (G4)',
    async (scene) => {
      const pool = scene.pool();
      const claim = await pool.owned([['a', '1']]);
      const offered = await pool.claim([['a', '2'], 'b']);
      assert.deepEqual([idsOf(offered), refusalsOf(offered)], [['b'], ['a/2 earlier_version']]);
      assert.deepEqual((await pool.next()).owned, []);
      assert.deepEqual(await pool.states(), ['a/1 claimed', 'a/2 queued', 'b claimed']);
      await pool.done(claim, 'a');
      assert.deepEqual(idsOf(await pool.next()), ['a/2']);
    },
  ),

  fact('a newer version waits for one that failed for a while, and the older is worked first', async (scene) => {
    const pool = scene.pool();
    const claim = await pool.owned([['a', '1']]);
    await pool.failed(claim, 'a');
    await pool.enqueue([['a', '2']]);
    assert.deepEqual(refusalsOf(await pool.claim([['a', '2']])), ['a/2 earlier_version']);
    assert.deepEqual(await pool.states(), ['a/1 queued', 'a/2 queued']);
    await scene.advance(HOUR);
    const again = await pool.next(10);
    assert.deepEqual(idsOf(again), ['a/1']);
    await pool.failedForGood({ token: again.token ?? '' }, 'a');
    assert.deepEqual(idsOf(await pool.next(10)), ['a/2']);
  }),

  fact('one in review holds the newer version until a person has decided', async (scene) => {
    for (const action of ['done', 'fail'] as const) {
      const pool = scene.pool(action);
      const claim = await pool.owned([['a', '1']]);
      await pool.toReview(claim, 'a');
      await pool.enqueue([['a', '2']]);
      assert.deepEqual((await pool.next()).owned, []);
      assert.deepEqual(refusalsOf(await pool.claim([['a', '2']])), ['a/2 earlier_version']);
      assert.equal((await pool.decide('a', action, { version: '1' })).outcome, 'accepted');
      assert.deepEqual(idsOf(await pool.next()), ['a/2']);
    }
  }),

  fact('of several that wait only the newest is worked', async (scene) => {
    const pool = scene.pool();
    const claim = await pool.owned([['a', '1']]);
    for (const version of ['2', '3', '4']) await pool.enqueue([['a', version]]);
    assert.deepEqual(await pool.states(), ['a/1 claimed', 'a/2 cancelled', 'a/3 cancelled', 'a/4 queued']);
    await pool.done(claim, 'a');
    assert.deepEqual(idsOf(await pool.next(10)), ['a/4']);
  }),

  fact('an older version whose claim expires before it began is cancelled, and the newer is free', async (scene) => {
    const pool = scene.pool();
    await pool.lapsed([['a', '1']], { explicitBegin: true });
    await pool.enqueue([['a', '2']]);
    const answer = await pool.settle();
    assert.deepEqual([answer.cancelled, answer.requeued], [1, 0]);
    assert.deepEqual(await pool.states(), ['a/1 cancelled', 'a/2 queued']);
    assert.deepEqual(idsOf(await pool.next()), ['a/2']);
  }),

  fact('an older version that is given back unworked is cancelled, and the newer is free', async (scene) => {
    const pool = scene.pool();
    const claim = await pool.unbegun([['a', '1']]);
    await pool.enqueue([['a', '2']]);
    await pool.giveBack(claim);
    assert.deepEqual(await pool.states(), ['a/1 cancelled', 'a/2 queued']);
    assert.deepEqual(idsOf(await pool.next()), ['a/2']);
  }),

  fact(
    'an older version that was begun is settled before the newer is worked, also after its claim expired',
    async (scene) => {
      const pool = scene.pool();
      await pool.set({ redo: 'safe' });
      await pool.lapsed([['a', '1']]);
      await pool.enqueue([['a', '2']]);
      const claim = await pool.next(10);
      assert.deepEqual(idsOf(claim), ['a/1']);
      await pool.done({ token: claim.token ?? '' }, 'a');
      assert.deepEqual(idsOf(await pool.next(10)), ['a/2']);
    },
  ),

  fact('a late done of the older version frees the newer', async (scene) => {
    const pool = scene.pool();
    const claim = await pool.owned([['a', '1']]);
    await pool.failed(claim, 'a');
    await pool.enqueue([['a', '2']]);
    assert.equal((await pool.done(claim, 'a', 'ref')).outcome, 'evidence');
    assert.deepEqual(idsOf(await pool.next()), ['a/2']);
  }),

  fact('a done version is never handed out again, and a new version of it is another record (G4)', async (scene) => {
    const pool = scene.pool();
    const claim = await pool.owned([['a', '1']]);
    await pool.done(claim, 'a', 'ref-1');
    await pool.enqueue([
      ['a', '1'],
      ['a', '2'],
    ]);
    const next = await pool.next();
    assert.deepEqual([idsOf(next), next.owned[0]?.attempt], [['a/2'], 1]);
    await pool.done({ token: next.token ?? '' }, 'a', 'ref-2');
    const rows = [await pool.record(['a', '1']), await pool.record(['a', '2'])];
    assert.deepEqual(
      rows.map(({ state, providerRef }) => [state, providerRef]),
      [
        ['done', 'ref-1'],
        ['done', 'ref-2'],
      ],
    );
    assert.notEqual(rows[0]?.effectKey, rows[1]?.effectKey);
  }),

  fact('verdicts and begins go to the version that the token has, whatever other versions there are', async (scene) => {
    const pool = scene.pool();
    const first = await pool.owned([['a', '1']]);
    await pool.done(first, 'a', 'ref-1');
    const second = await pool.unbegun([['a', '2']]);
    assert.equal((await pool.begun(second, 'a')).version, '2');
    const repeat = await pool.done(first, 'a', 'ref-1');
    assert.deepEqual([repeat.outcome, repeat.version], ['accepted', '1']);
    assert.equal((await pool.failedForGood(second, 'a')).version, '2');
    assert.deepEqual(await pool.states(), ['a/1 done', 'a/2 failed']);
  }),

  fact('of versions of an id in one offer the last is the newest, and only that is worked', async (scene) => {
    const pool = scene.pool();
    const claim = await pool.claim([['a', '1'], 'b', ['a', '2']]);
    assert.deepEqual([idsOf(claim), refusalsOf(claim)], [['b', 'a/2'], ['a/1 cancelled']]);
    assert.deepEqual(await pool.states(), ['a/1 cancelled', 'a/2 claimed', 'b claimed']);
  }),
];
