import assert from 'node:assert/strict';
import { type Fact, fact } from '../stage/fact.ts';
import { HOUR, MINUTE } from '../stage/timeline.ts';
import { idsOf, nameOf, refusalsOf } from './stage/names.ts';

/** Ids as they come: every sign that JSON, SQL and patterns have a meaning for. */
const ODD_IDS = [
  `it's "quoted" \\ 100% $1 {} ; --`,
  '毎時 ジョブ 🦉',
  '<a&b>/\u2028\u2029\u00a0\ufeff',
  'a","b',
  ' a ',
  'A',
  'ä',
  'a\u0308',
  "''",
  '[1,2]',
];

export const enqueueFacts: readonly Fact[] = [
  fact('a record that is enqueued is known and queued, with its effectKey, and nobody owns it', async (scene) => {
    const pool = scene.pool();
    const before = await scene.now();
    const answer = await pool.enqueue(['a'], { payload: '{"to":"x"}' });
    assert.deepEqual(answer, { pool: 'orders', added: 1, known: 0, superseded: 0 });
    const row = await pool.record('a');
    scene.assertElapsed(scene.at(row.updatedAt), before, 'updatedAt');
    assert.deepEqual(row, {
      pool: 'orders',
      id: 'a',
      version: '',
      state: 'queued',
      effectKey: '080c640f-44d0-84f9-8a47-78e995694511',
      attempt: 0,
      claimedBy: null,
      claimedAt: null,
      leaseUntil: null,
      begunAt: null,
      providerRef: null,
      error: null,
      notBefore: null,
      updatedAt: row.updatedAt,
      evidenceRef: null,
      evidenceAt: null,
    });
    assert.equal(await scene.countEvents(), 0);
  }),

  fact('a version that is known stays as it is when it is enqueued again', async (scene) => {
    const pool = scene.pool();
    await pool.enqueue(['a', 'b'], { payload: '"first"' });
    const later = scene.dateAt((await scene.now()) + HOUR);
    const answer = await pool.enqueue(['b', 'c'], { payload: '"second"', notBefore: later, namespace: 'other' });
    assert.deepEqual(answer, { pool: 'orders', added: 1, known: 1, superseded: 0 });
    const claim = await pool.next(10);
    assert.deepEqual(
      claim.owned.map(({ id, payload }) => [id, payload]),
      [
        ['a', '"first"'],
        ['b', '"first"'],
      ],
    );
  }),

  fact('a record that is done is known for ever: enqueued or offered again, it stays done (G4)', async (scene) => {
    const pool = scene.pool();
    const claim = await pool.owned(['person-1 2026-01-05']);
    await pool.done(claim, 'person-1 2026-01-05', 'ref-1');
    await scene.advance(40 * 24 * HOUR);
    assert.equal((await pool.enqueue(['person-1 2026-01-05'])).known, 1);
    assert.deepEqual(refusalsOf(await pool.claim(['person-1 2026-01-05'])), ['person-1 2026-01-05 done']);
    assert.deepEqual((await pool.next()).owned, []);
    assert.deepEqual(await pool.states(), ['person-1 2026-01-05 done']);
  }),

  fact(
    'an effectKey comes from namespace, pool, id and version alone: a copy of the store has the same, which its provider can know again (C96)',
    async (scene) => {
      const keys = [
        ['', 'a', '', '080c640f-44d0-84f9-8a47-78e995694511'],
        ['', 'a', '2', '1ee1a8ca-4317-839f-acf3-514ddab0eae1'],
        ['', 'quo"te \\ back/slash', '', '7b1d1bbf-6d2d-8c55-992e-bc4e5dcd0d1f'],
        ['', '毎時 🦉 é ü <>&\u2028\u2029\u00a0', '', '265779ac-02f1-84cd-9f83-dee4ea97fcca'],
        ['', 'a","b', 'c', 'd76609d0-c982-8bdb-9cd0-37c3be16720a'],
        ['ü', '100% $1 ~\ufeff', '\u2029', '232b8ad9-e8ea-83d9-8692-b5e923ec31a2'],
      ] as const;
      const pool = scene.pool();
      for (const [namespace, id, version, effectKey] of keys) {
        await pool.enqueue([[id, version]], { namespace });
        assert.equal((await pool.record([id, version])).effectKey, effectKey, id);
      }
    },
  ),

  fact('an effectKey is fixed when the record is first known: no later namespace changes it', async (scene) => {
    const pool = scene.pool();
    await pool.enqueue(['a'], { namespace: 'staging' });
    const claim = await pool.owned(['a'], { namespace: 'production' });
    assert.equal(claim.owned[0]?.effectKey, '167f41ab-d9fe-8b5e-b9e5-848e4dfde387');
    await pool.failed(claim, 'a');
    await scene.advance(HOUR);
    assert.equal(
      (await pool.next()).owned[0]?.effectKey,
      '167f41ab-d9fe-8b5e-b9e5-848e4dfde387',
      'the same on each attempt',
    );
  }),

  fact('ids and versions are told apart by every byte, and come back as they were', async (scene) => {
    const pool = scene.pool();
    await pool.enqueue(ODD_IDS.flatMap((id) => [[id, ''] as const, ['v', id] as const]));
    const rows = await pool.records();
    assert.equal(rows.length, 2 * ODD_IDS.length);
    assert.deepEqual(new Set(rows.filter((row) => row.id === 'v').map((row) => row.version)), new Set(ODD_IDS));
    const claim = await pool.owned(ODD_IDS);
    for (const id of ODD_IDS) assert.equal((await pool.done(claim, id, id)).outcome, 'accepted', id);
    for (const id of ODD_IDS) assert.equal((await pool.record(id)).providerRef, id);
  }),

  fact('the longest ids, versions and names of pools fit', async (scene) => {
    const pool = scene.pool('ü'.repeat(127) + 'x');
    const long = '€'.repeat(341) + 'x';
    await pool.enqueue([[long, long]]);
    const claim = await pool.owned([[long, long]], { holder: long, claimId: long });
    await pool.done(claim, long, 'r'.repeat(4_096));
    assert.equal((await pool.record([long, long])).providerRef?.length, 4_096);
    assert.equal((await pool.status()).done, 1);
  }),

  fact('a payload means the same when it comes back', async (scene) => {
    const payloads = ['null', '0', '"🦉 \\u2028 \\\\"', '[1,[2,{"a":[]}]]', '{"b":1,"a":{"c":null,"":"x"}}', 'true'];
    const pool = scene.pool();
    for (const [index, payload] of payloads.entries()) await pool.enqueue([`p${index}`], { payload });
    const { owned } = await pool.next();
    assert.deepEqual(
      owned.map(({ payload }) => JSON.parse(payload ?? '"none"') as unknown),
      payloads.map((payload) => JSON.parse(payload) as unknown),
    );
  }),

  fact('a payload of 1 MiB fits', async (scene) => {
    const pool = scene.pool();
    const payload = JSON.stringify('x'.repeat(1_048_576 - 2));
    await pool.enqueue(['a'], { payload });
    assert.equal((await pool.next()).owned[0]?.payload, payload);
  }),

  fact('a deferred record is counted, and not handed out before its instant', async (scene) => {
    const pool = scene.pool();
    const due = (await scene.now()) + HOUR;
    await pool.enqueue(['later'], { notBefore: scene.dateAt(due) });
    await pool.enqueue(['now']);
    const { queued, deferred } = await pool.status();
    assert.deepEqual([queued, deferred], [2, 1]);
    assert.deepEqual(idsOf(await pool.next()), ['now']);
    const offered = await pool.claim(['later']);
    assert.deepEqual(refusalsOf(offered), ['later not_before']);
    scene.assertElapsed(scene.at(offered.refused[0]?.since ?? null), due, 'from when on it may be had');
    await scene.advanceToJustBefore(HOUR);
    assert.deepEqual(idsOf(await pool.next()), []);
    await scene.advance(MINUTE);
    assert.deepEqual(idsOf(await pool.next()), ['later']);
  }),

  fact('a pool is made by the first enqueue, claim or change of it, with its defaults', async (scene) => {
    await scene.pool('enqueued').enqueue(['a']);
    await scene.pool('claimed').claim(['a']);
    await scene.pool('asked').next();
    await scene.pool('changed').set({ attempts: 5 });
    for (const name of ['enqueued', 'claimed', 'asked', 'changed']) {
      const { redo, redoWindowMs, attempts, leaseMs, limit, callTimeoutMs, verifier, paused } = await scene
        .pool(name)
        .status();
      assert.deepEqual(
        { redo, redoWindowMs, attempts, leaseMs, limit, callTimeoutMs, verifier, paused },
        {
          redo: 'ask',
          redoWindowMs: null,
          attempts: 5,
          leaseMs: 10 * MINUTE,
          limit: 50,
          callTimeoutMs: 0,
          verifier: null,
          paused: false,
        },
        name,
      );
    }
    assert.deepEqual(await scene.store.pools({ pool: 'never touched', limit: 10 }), []);
  }),

  fact('a pool knows nothing of the records of another', async (scene) => {
    const [one, other] = [scene.pool('one'), scene.pool('other')];
    const claim = await one.owned(['a']);
    await other.owned(['a']);
    assert.equal((await other.done(claim, 'a')).reason, 'not_owner');
    assert.equal((await one.done(claim, 'a')).outcome, 'accepted');
    assert.deepEqual(await other.states(), ['a claimed']);
    assert.notEqual((await one.record('a')).effectKey, (await other.record('a')).effectKey);
  }),

  fact('ten thousand records are enqueued by one call, and claimed by one', async (scene) => {
    const pool = scene.pool();
    const ids = Array.from({ length: 10_000 }, (_, index) => `record-${index}`);
    assert.equal((await pool.enqueue(ids)).added, 10_000);
    const claim = await pool.next(10_000, { explicitBegin: true });
    assert.deepEqual(claim.owned.map(nameOf), ids);
  }),
];
