import assert from 'node:assert/strict';
import { effectDoubledMessage, evidenceMessage, recordName } from '../../../domain/records/messages.ts';
import { type Fact, fact } from '../stage/fact.ts';
import type { Scene } from '../stage/scene.ts';
import type { Claim } from './stage/names.ts';
import type { Pool } from './stage/pool.ts';

const NAME = recordName('orders', { id: 'a', version: '' });

/** One record and three claims of it, one after the other: the last one has begun it. */
async function threeOwners(scene: Scene): Promise<{ readonly pool: Pool; readonly a: Claim; b: Claim; c: Claim }> {
  const pool = scene.pool();
  await pool.set({ redo: 'safe' });
  const a = await pool.lapsed(['a'], { holder: 'h-a' });
  const b = await pool.lapsed(['a'], { holder: 'h-b' });
  return { pool, a, b, c: await pool.owned(['a'], { holder: 'h-c' }) };
}

/** A done that was said before: its answer is as it was, and nothing is told. */
async function saidAgain(pool: Pool, claim: Claim, ref: string | null, message: string): Promise<void> {
  const before = await pool.events();
  const row = await pool.record('a');
  const answer = await pool.done(claim, 'a', ref);
  assert.deepEqual([answer.outcome, answer.message], ['evidence', message]);
  assert.deepEqual(await pool.events(), before, `told once: done ${ref}`);
  assert.deepEqual(await pool.record('a'), row);
}

/** A late `done` that gets no answer is said again; and what two former owners say is held against each other. */
export const toldOnceFacts: readonly Fact[] = [
  fact(
    'two former owners that name two references tell of two effects while a third works it: critical',
    async (scene) => {
      const { pool, a, b, c } = await threeOwners(scene);
      assert.equal((await pool.done(a, 'a', 'ref-a')).state, 'review');
      const answer = await pool.done(b, 'a', 'ref-b');
      assert.deepEqual([answer.outcome, answer.state], ['evidence', 'review']);
      const event = await pool.event('effect.doubled');
      assert.deepEqual([event.severity, event.recordId, event.holder], ['critical', 'a', 'h-b']);
      assert.deepEqual([event.message, answer.message], [effectDoubledMessage(NAME, 'ref-a', 'ref-b'), event.message]);
      assert.equal(
        (await pool.event('verdict.evidence')).holder,
        'h-a',
        'what is told as doubled is not told as evidence too',
      );
      const own = await pool.done(c, 'a', 'ref-a');
      assert.deepEqual([own.outcome, own.state], ['accepted', 'done']);
      assert.equal((await pool.record('a')).providerRef, 'ref-a', 'the first one is kept');
      assert.equal(await pool.countEvents('effect.doubled'), 1);
      await saidAgain(pool, b, 'ref-b', event.message);
    },
  ),

  fact('two former owners that name one reference, or one of them none, tell of one effect', async (scene) => {
    const { pool, a, b, c } = await threeOwners(scene);
    await pool.done(a, 'a');
    assert.equal((await pool.done(b, 'a', 'ref-1')).outcome, 'evidence');
    assert.equal((await pool.done(a, 'a', 'ref-1')).outcome, 'evidence');
    assert.equal((await pool.failed(c, 'a')).state, 'done');
    assert.equal(await pool.countEvents('effect.doubled'), 0);
    assert.equal((await pool.record('a')).providerRef, 'ref-1');
  }),

  fact('a former owner’s done that is said again is told once', async (scene) => {
    const { pool, a, b, c } = await threeOwners(scene);
    await pool.done(a, 'a', 'ref-1');
    for (const ref of ['ref-1', null]) await saidAgain(pool, a, ref, evidenceMessage(NAME, 'review'));
    await pool.done(c, 'a', 'ref-1');
    await saidAgain(pool, a, 'ref-1', evidenceMessage(NAME, 'done'));
    assert.equal(await pool.countEvents('verdict.evidence'), 1);
    await pool.done(b, 'a', 'ref-1');
    await saidAgain(pool, b, 'ref-1', evidenceMessage(NAME, 'done'));
    assert.equal(await pool.countEvents('verdict.evidence'), 2, 'another one’s word is told');
  }),

  fact('a former owner’s done that makes a record done is told once', async (scene) => {
    const pool = scene.pool();
    await pool.set({ redo: 'safe' });
    const former = await pool.lapsed(['a']);
    await pool.settle();
    await pool.done(former, 'a', 'ref-1');
    await saidAgain(pool, former, 'ref-1', evidenceMessage(NAME, 'done'));
    assert.equal(await pool.countEvents('verdict.evidence'), 1);
  }),

  fact('an owner’s second reference is told once as well, and a third one again', async (scene) => {
    const pool = scene.pool();
    const claim = await pool.owned(['a'], { holder: 'host:1' });
    await pool.done(claim, 'a', 'ref-1');
    await pool.done(claim, 'a', 'ref-2');
    for (let time = 0; time < 3; time += 1) {
      await saidAgain(pool, claim, 'ref-2', effectDoubledMessage(NAME, 'ref-1', 'ref-2'));
    }
    assert.equal((await pool.event('effect.doubled')).holder, 'host:1');
    assert.equal((await pool.done(claim, 'a', 'ref-1')).outcome, 'accepted', 'that is its verdict');
    await pool.done(claim, 'a', 'ref-3');
    assert.equal(await pool.countEvents('effect.doubled'), 2);
  }),

  fact('an owner that settles what a former one did with a reference of its own is told once', async (scene) => {
    const { pool, a, c } = await threeOwners(scene);
    await pool.done(a, 'a', 'ref-a');
    assert.equal((await pool.done(c, 'a', 'ref-c')).outcome, 'accepted');
    await saidAgain(pool, c, 'ref-c', effectDoubledMessage(NAME, 'ref-a', 'ref-c'));
    assert.equal(await pool.countEvents('effect.doubled'), 1);
  }),

  fact('a former owner’s done counts anew where a person has sent the record back meanwhile', async (scene) => {
    const { pool, a, c } = await threeOwners(scene);
    await pool.done(a, 'a', 'ref-1');
    await pool.decide('a', 'requeue');
    const answer = await pool.done(a, 'a', 'ref-1');
    assert.deepEqual([answer.outcome, answer.state], ['evidence', 'done']);
    assert.equal(await pool.countEvents('verdict.evidence'), 2);
    assert.equal((await pool.done(c, 'a', 'ref-1')).outcome, 'evidence');
    assert.equal((await pool.record('a')).providerRef, 'ref-1');
  }),
];
