import assert from 'node:assert/strict';
import type { RecordRow } from '../../../domain/records/record.ts';
import { effectDoubledMessage, recordName, verdictAcceptedMessage } from '../../../domain/records/messages.ts';
import { decidedMessage } from '../../../domain/records/pool-messages.ts';
import { type Fact, fact } from '../stage/fact.ts';
import type { Scene } from '../stage/scene.ts';
import { LEASE, type Claim, verdictItem } from './stage/names.ts';
import type { Pool } from './stage/pool.ts';
import { apply, takeOne, VERIFIER } from './stage/sweep.ts';

const NAME = recordName('orders', { id: 'a', version: '' });
const DOUBLED = effectDoubledMessage(NAME, 'ref-1', 'ref-2');

interface Evidenced {
  readonly pool: Pool;
  /** Has said `done` with ref-1, too late. */
  readonly former: Claim;
  /** Had begun it when that came, and has not spoken. */
  readonly owner: Claim;
}

/** One record that its former owner did, in review since another had begun it. */
async function evidenced(scene: Scene, ref: string | null = 'ref-1'): Promise<Evidenced> {
  const pool = scene.pool();
  await pool.set({ redo: 'safe' });
  const former = await pool.lapsed(['a'], { holder: 'h-1' });
  const owner = await pool.owned(['a'], { holder: 'h-2' });
  assert.equal((await pool.done(former, 'a', ref)).state, 'review');
  return { pool, former, owner };
}

async function sentBack(scene: Scene): Promise<Evidenced> {
  const came = await evidenced(scene);
  assert.equal((await came.pool.decide('a', 'requeue')).state, 'queued');
  return came;
}

function evidenceOf({ evidenceRef, evidenceAt }: RecordRow): [string | null, boolean] {
  return [evidenceRef, evidenceAt !== null];
}

async function assertDoubled(pool: Pool, holder: string): Promise<void> {
  const event = await pool.event('effect.doubled');
  assert.deepEqual([event.severity, event.recordId, event.holder, event.message], ['critical', 'a', holder, DOUBLED]);
}

/** What a former owner named is shown to the person who decides, and outlives a decision against it. */
export const decidedEvidenceFacts: readonly Fact[] = [
  fact('what a former owner named, and when, is listed for whoever decides', async (scene) => {
    const { pool } = await evidenced(scene);
    const row = await pool.record('a');
    const { at } = await pool.event('verdict.evidence');
    assert.deepEqual([row.evidenceRef, row.evidenceAt], ['ref-1', at]);
    const listed = await scene.store.records({ pool: 'orders', state: 'review', id: null, after: null, limit: 10 });
    assert.deepEqual(listed, [row]);
    assert.equal((await pool.decide('a', 'done')).state, 'done');
    assert.deepEqual(evidenceOf(await pool.record('a')), [null, false], 'decided: it is the reference now');
  }),

  fact('a former owner that named no reference is seen by when it spoke', async (scene) => {
    const { pool } = await evidenced(scene, null);
    assert.deepEqual(evidenceOf(await pool.record('a')), [null, true]);
  }),

  fact(
    'a person who sends a record back forgets no reference: a done with another one tells of two effects',
    async (scene) => {
      const { pool } = await sentBack(scene);
      assert.deepEqual(evidenceOf(await pool.record('a')), ['ref-1', false]);
      const claim = await pool.owned(['a'], { holder: 'h-3' });
      assert.deepEqual(evidenceOf(await pool.record('a')), ['ref-1', false]);
      const answer = await pool.done(claim, 'a', 'ref-2');
      assert.deepEqual([answer.outcome, answer.state, answer.message], ['accepted', 'done', DOUBLED]);
      await assertDoubled(pool, 'h-3');
      assert.equal((await pool.record('a')).providerRef, 'ref-1', 'the first one is kept');
      assert.equal((await pool.done(claim, 'a', 'ref-2')).message, DOUBLED, 'said again it is told once');
      assert.equal(await pool.countEvents('effect.doubled'), 1);
    },
  ),

  fact('the same of a done that is given with others in one call', async (scene) => {
    const { pool } = await sentBack(scene);
    const claim = await pool.owned(['a', 'b', 'c'], { holder: 'h-3' });
    const verdicts = ['a', 'b', 'c'].map((id) => verdictItem(claim, id, 'done', { providerRef: 'ref-2' }));
    const answers = (await scene.store.work({ pool: 'orders', verdicts, begins: [] })).verdicts;
    assert.deepEqual(
      answers.map(({ outcome }) => outcome),
      ['accepted', 'accepted', 'accepted'],
    );
    assert.equal(answers[0]?.message, DOUBLED);
    await assertDoubled(pool, 'h-3');
  }),

  fact('after a requeue and a failure the reference is still known', async (scene) => {
    const { pool } = await sentBack(scene);
    const claim = await pool.owned(['a']);
    const answer = await pool.failed(claim, 'a');
    assert.deepEqual(
      [answer.outcome, answer.state],
      ['accepted', 'queued'],
      'a person has decided against the evidence',
    );
    await scene.advance(LEASE);
    const later = await pool.owned(['a'], { holder: 'h-4' });
    assert.equal((await pool.done(later, 'a', 'ref-2')).message, DOUBLED);
    await assertDoubled(pool, 'h-4');
  }),

  fact('after a requeue a done with the same reference, or with none, is one effect', async (scene) => {
    for (const ref of ['ref-1', null]) {
      const pool = scene.pool(`orders ${ref}`);
      await pool.set({ redo: 'safe' });
      const former = await pool.lapsed(['a']);
      await pool.owned(['a']);
      await pool.done(former, 'a', 'ref-1');
      await pool.decide('a', 'requeue');
      const claim = await pool.owned(['a']);
      const answer = await pool.done(claim, 'a', ref);
      const came = { state: 'done', providerRef: 'ref-1', notBefore: null, why: null } as const;
      const name = recordName(pool.name, { id: 'a', version: '' });
      assert.deepEqual([answer.outcome, answer.message], ['accepted', verdictAcceptedMessage(name, came)]);
      assert.equal((await pool.record('a')).providerRef, 'ref-1');
      assert.equal(await pool.countEvents('effect.doubled'), 0);
    }
  }),

  fact('after a requeue the one that had begun it is a former owner: its done tells of two effects', async (scene) => {
    const { pool, owner } = await sentBack(scene);
    const answer = await pool.done(owner, 'a', 'ref-2');
    assert.deepEqual([answer.outcome, answer.state, answer.message], ['evidence', 'done', DOUBLED]);
    await assertDoubled(pool, 'h-2');
    assert.equal((await pool.record('a')).providerRef, 'ref-1');
  }),

  fact('the same while a third one works it: in review, and told as two effects', async (scene) => {
    const { pool, owner } = await sentBack(scene);
    await pool.owned(['a'], { holder: 'h-3' });
    const answer = await pool.done(owner, 'a', 'ref-2');
    assert.deepEqual([answer.outcome, answer.state, answer.message], ['evidence', 'review', DOUBLED]);
    await assertDoubled(pool, 'h-2');
    assert.deepEqual(evidenceOf(await pool.record('a')), ['ref-1', true]);
  }),

  fact('a person who lets a record fail forgets no reference', async (scene) => {
    const { pool, owner } = await evidenced(scene);
    assert.equal((await pool.decide('a', 'fail')).state, 'failed');
    assert.deepEqual(evidenceOf(await pool.record('a')), ['ref-1', false]);
    const answer = await pool.done(owner, 'a', 'ref-2');
    assert.deepEqual([answer.outcome, answer.state, answer.message], ['evidence', 'done', DOUBLED]);
    await assertDoubled(pool, 'h-2');
  }),

  fact(
    'an owner’s done after its own review tells of two effects, where a person had decided against one',
    async (scene) => {
      const { pool } = await sentBack(scene);
      const claim = await pool.owned(['a'], { holder: 'h-3' });
      await pool.toReview(claim, 'a');
      const answer = await pool.done(claim, 'a', 'ref-2');
      assert.deepEqual([answer.outcome, answer.state, answer.message], ['evidence', 'done', DOUBLED]);
      await assertDoubled(pool, 'h-3');
      assert.equal((await pool.done(claim, 'a', 'ref-2')).message, DOUBLED);
      assert.equal(await pool.countEvents('effect.doubled'), 1, 'told once');
    },
  ),

  fact('a person’s done with another reference than a former owner’s tells of two effects', async (scene) => {
    const { pool } = await evidenced(scene);
    const answer = await pool.decide('a', 'done', { providerRef: 'ref-3' });
    assert.deepEqual([answer.state, answer.message], ['done', decidedMessage(NAME, 'done')]);
    const event = await pool.event('effect.doubled');
    assert.equal(event.message, effectDoubledMessage(NAME, 'ref-3', 'ref-1'));
    assert.equal((await pool.record('a')).providerRef, 'ref-3');
  }),

  fact('a look-up that finds another reference than a former owner’s tells of two effects', async (scene) => {
    const { pool } = await sentBack(scene);
    await pool.set({ redo: 'ask', verifier: VERIFIER });
    await pool.lapsed(['a'], { holder: 'h-3' });
    const seen = await takeOne(pool);
    assert.equal(seen.providerRef, 'ref-1', 'what it may be asked by');
    assert.equal((await apply(pool, seen, { kind: 'done', providerRef: 'ref-3' })).state, 'done');
    const event = await pool.event('effect.doubled');
    assert.deepEqual(
      [event.severity, event.recordId, event.holder, event.message],
      ['critical', 'a', 'h-3', effectDoubledMessage(NAME, 'ref-3', 'ref-1')],
    );
    assert.equal((await pool.record('a')).providerRef, 'ref-3');
  }),

  fact('a look-up that finds the reference of a former owner, or none, is of one effect', async (scene) => {
    for (const providerRef of ['ref-1', null]) {
      const pool = scene.pool(`orders ${providerRef}`);
      await pool.set({ redo: 'safe' });
      const former = await pool.lapsed(['a']);
      await pool.owned(['a']);
      await pool.done(former, 'a', 'ref-1');
      await pool.set({ verifier: VERIFIER });
      await pool.decide('a', 'ask');
      await apply(pool, await takeOne(pool), { kind: 'done', providerRef });
      assert.equal((await pool.record('a')).providerRef, 'ref-1');
      assert.equal(await pool.countEvents('effect.doubled'), 0);
    }
  }),
];
