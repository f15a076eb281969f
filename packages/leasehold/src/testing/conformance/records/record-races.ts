import assert from 'node:assert/strict';
import type { ClaimAnswer } from '../../../domain/records/record.ts';
import type { Store } from '../../../ports/store.ts';
import { type Fact, fact } from '../stage/fact.ts';
import type { Scene } from '../stage/scene.ts';
import { HOUR } from '../stage/timeline.ts';
import { grantedOf, idsOf, LEASE, verdictItem } from './stage/names.ts';

/** Many at once, from several clients. A store with one connection answers in turn, and must answer the same. */
const CLIENTS = 4;
const CLAIMERS = 24;
const IDS = Array.from({ length: 40 }, (_, index) => `r-${String(index).padStart(2, '0')}`);

async function race<T>(scene: Scene, count: number, call: (store: Store, index: number) => Promise<T>): Promise<T[]> {
  const clients = [scene.store];
  while (clients.length < CLIENTS) clients.push(await scene.another());
  return await Promise.all(
    Array.from({ length: count }, (_, index) => call(clients[index % CLIENTS] ?? scene.store, index)),
  );
}

/** In an order that no other claimer offers them in. */
function turned(index: number): string[] {
  const from = (index * 7) % IDS.length;
  const ids = [...IDS.slice(from), ...IDS.slice(0, from)];
  return index % 2 === 0 ? ids : ids.toReversed();
}

function assertEachOnce(answers: readonly ClaimAnswer[], ids: readonly string[]): void {
  assert.deepEqual(answers.flatMap(idsOf).toSorted(), ids.toSorted(), 'each is owned once');
}

export const recordRaceFacts: readonly Fact[] = [
  fact(
    'of many claims of the same ids in opposite orders each record has one owner, and none ends in an error (C75)',
    async (scene) => {
      const pool = scene.pool();
      for (const explicitBegin of [true, false]) {
        const answers = await race(scene, CLAIMERS, (store, index) =>
          store.claim(
            pool.claimRequest(
              turned(index).map((id) => [id, String(explicitBegin)] as const),
              { explicitBegin, limit: 5 },
            ),
          ),
        );
        assertEachOnce(
          answers,
          IDS.map((id) => `${id}/${explicitBegin}`),
        );
        for (const { outcome, owned } of answers) assert.ok(outcome === 'claimed' && owned.length <= 5);
        const holders = new Set((await pool.records()).map((row) => row.claimedBy));
        assert.ok(holders.size >= IDS.length / 5);
        for (const answer of answers) {
          if (answer.token === null) continue;
          const verdicts = answer.owned.map(({ id }) => verdictItem({ token: answer.token ?? '' }, id, 'done'));
          await scene.store.work({ pool: pool.name, verdicts, begins: [] });
        }
      }
    },
  ),

  fact('of two activations at once for one thing exactly one has it (C74, C88)', async (scene) => {
    const pool = scene.pool();
    for (let round = 0; round < 5; round += 1) {
      const answers = await race(scene, 2, (store) => store.claim(pool.claimRequest([`acme-${round}`])));
      assertEachOnce(answers, [`acme-${round}`]);
      const [refused] = answers.flatMap((answer) => answer.refused);
      assert.equal(refused?.why, 'claimed');
    }
  }),

  fact('many claims of the next ones share the queue: each record once, none left (C63, C65)', async (scene) => {
    const pool = scene.pool();
    const ids = Array.from({ length: 200 }, (_, index) => `n-${String(index).padStart(3, '0')}`);
    await pool.enqueue(ids);
    const answers = await race(scene, CLAIMERS, (store) => store.claimNext(pool.nextRequest({ limit: 10 })));
    answers.push(...(await race(scene, 4, (store) => store.claimNext(pool.nextRequest({ limit: 10 })))));
    assertEachOnce(answers, ids);
  }),

  fact('claims of the next ones and by id at once: each record has one owner', async (scene) => {
    const pool = scene.pool();
    await pool.enqueue(IDS);
    const answers = await race(scene, CLAIMERS, (store, index) =>
      index % 2 === 0
        ? store.claimNext(pool.nextRequest({ limit: 4 }))
        : store.claim(pool.claimRequest(turned(index), { limit: 4 })),
    );
    answers.push(await pool.next(100));
    assertEachOnce(answers, IDS);
  }),

  fact('the same claim asked many times at once is one claim: one token, the same records', async (scene) => {
    const pool = scene.pool();
    await pool.enqueue(IDS);
    const same = { claimId: 'c-1', holder: 'host:1' };
    for (const ask of [
      (store: Store) => store.claimNext({ ...pool.nextRequest({ limit: 5 }), ...same }),
      (store: Store) => store.claim({ ...pool.claimRequest(['x', 'y', 'z']), ...same, claimId: 'c-2' }),
    ]) {
      const answers = await race(scene, 12, ask);
      assert.equal(new Set(answers.map((answer) => answer.token)).size, 1);
      assert.equal(new Set(answers.map((answer) => idsOf(answer).join())).size, 1);
    }
    assert.equal((await pool.status()).claimed, 8);
  }),

  fact('what expired is settled once, however many settle it at once', async (scene) => {
    const pool = scene.pool();
    await pool.lapsed(IDS, { explicitBegin: true, limit: 100 });
    const answers = await race<object>(scene, 12, (store, index) =>
      index % 2 === 0
        ? store.settleExpired({ pool: pool.name, limit: 1_000 })
        : store.claimNext(pool.nextRequest({ limit: 3 })),
    );
    const claims = answers.filter((answer): answer is ClaimAnswer => 'owned' in answer);
    const owned = claims.flatMap(idsOf);
    assert.equal(new Set(owned).size, owned.length, 'none twice');
    assert.equal(await pool.countEvents('record.requeued'), IDS.length, 'one event each');
    const { queued, claimed } = await pool.status();
    assert.deepEqual([queued + claimed, claimed], [IDS.length, owned.length]);
  }),

  fact('a verdict given many times at once counts once', async (scene) => {
    const pool = scene.pool();
    const claim = await pool.owned(['a', 'b']);
    await race(scene, 12, (store) =>
      store.work({
        pool: pool.name,
        verdicts: [
          verdictItem(claim, 'a', 'failed', { error: 'x' }),
          verdictItem(claim, 'b', 'done', { providerRef: 'ref' }),
        ],
        begins: [],
      }),
    );
    assert.deepEqual(await pool.states(), ['a queued', 'b done']);
    assert.deepEqual(
      (await pool.events()).map(({ kind }) => kind),
      ['record.requeued'],
    );
  }),

  fact('work on the same records in opposite orders at once ends in no error (C75)', async (scene) => {
    const pool = scene.pool();
    const claim = await pool.unbegun(IDS, { limit: 100 });
    const answers = await race(scene, 8, (store, index) =>
      store.work({
        pool: pool.name,
        verdicts: turned(index)
          .slice(0, 20)
          .map((id) => verdictItem(claim, id, 'done')),
        begins: turned(index)
          .slice(20)
          .map((id) => ({ id, token: claim.token })),
      }),
    );
    for (const { verdicts } of answers) assert.ok(verdicts.every(({ outcome }) => outcome === 'accepted'));
    const { claimed, done } = await pool.status();
    assert.equal(claimed + done, IDS.length);
  }),

  fact(
    'a late done and the begin of the next owner at once: it is done, or that owner is waited for',
    async (scene) => {
      for (let round = 0; round < 5; round += 1) {
        const pool = scene.pool(`pool-${round}`);
        await pool.set({ redo: 'safe' });
        const former = await pool.lapsed(['a']);
        const claim = await pool.unbegun(['a']);
        const [late, begin] = await Promise.all([pool.done(former, 'a', 'ref-1'), pool.begin(claim, 'a')]);
        assert.equal(late.outcome, 'evidence');
        const { state } = await pool.record('a');
        assert.ok(['done', 'review'].includes(state), state);
        if (begin.outcome === 'accepted' && state === 'review')
          assert.equal((await pool.done(claim, 'a', 'ref-1')).state, 'done');
        assert.equal((await pool.record('a')).state, 'done');
      }
    },
  ),

  fact(
    'two versions of an id that arrive at once: one of them is the newer, and only that is worked',
    async (scene) => {
      const pool = scene.pool();
      await pool.owned([['worked', '1']]);
      const versions = ['1', '2', '3', '4', '5', '6'];
      await race(scene, versions.length, (store, index) =>
        store.enqueue({
          pool: pool.name,
          records: IDS.slice(0, 8).map((id) => ({
            id,
            version: versions[index] ?? '',
            payload: null,
            notBefore: null,
          })),
          namespace: '',
        }),
      );
      const { queued, cancelled } = await pool.status();
      assert.deepEqual([queued, cancelled], [8, 40]);
      assert.equal((await pool.next(100)).owned.length, 8);
    },
  ),

  fact('two versions of an id claimed at once: no two are worked at a time (G4)', async (scene) => {
    const pool = scene.pool();
    const answers = await race(scene, 8, (store, index) => store.claim(pool.claimRequest([['a', String(index)]])));
    const owners = answers.filter((answer) => answer.owned.length > 0);
    assert.equal(owners.length, 1, owners.flatMap(idsOf).join());
    await pool.done(grantedOf(owners[0] ?? assert.fail()), 'a');
    const next = await pool.next(10);
    assert.ok(next.owned.length <= 1);
    assert.equal((await pool.records()).filter((row) => row.state === 'claimed').length, next.owned.length);
  }),

  fact('sweeps at once are given each record once', async (scene) => {
    const pool = scene.pool();
    await pool.set({ verifier: '{"kind":"function"}' });
    await pool.lapsed(IDS, { limit: 100 });
    const taken = await race(scene, 6, (store) => store.takeToAsk({ pool: pool.name, limit: 15, everyMs: HOUR }));
    const rest = await scene.store.takeToAsk({ pool: pool.name, limit: 100, everyMs: HOUR });
    const ids = [...taken.flat(), ...rest].map(({ id }) => id);
    assert.deepEqual(ids.toSorted(), IDS);
  }),

  fact('an extension and a settling at once: the claim lives, or its records went back', async (scene) => {
    for (let round = 0; round < 3; round += 1) {
      const pool = scene.pool(`pool-${round}`);
      const claim = await pool.unbegun(['a', 'b']);
      await scene.advance(LEASE - scene.driftMs);
      const [extended, settled] = await Promise.all([pool.extend(claim), pool.settle()]);
      const states = await pool.states();
      if (extended.outcome === 'extended')
        assert.deepEqual([states, settled.requeued], [['a claimed', 'b claimed'], 0]);
      else assert.ok(settled.requeued === 2 || states.join() === 'a claimed,b claimed', states.join());
    }
  }),
];
