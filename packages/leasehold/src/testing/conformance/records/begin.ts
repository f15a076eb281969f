import assert from 'node:assert/strict';
import { begunMessage, beginRefusedMessage, recordName } from '../../../domain/records/messages.ts';
import type { BeginRefusal } from '../../../domain/records/record.ts';
import { type Fact, fact } from '../stage/fact.ts';
import type { Scene } from '../stage/scene.ts';
import { HOUR, MINUTE, SECOND } from '../stage/timeline.ts';
import { LEASE, NO_TOKEN, type Token } from './stage/names.ts';
import type { Pool } from './stage/pool.ts';

const NAME = recordName('orders', { id: 'a', version: '' });

/** A begin that must be refused for `reason`, and tell so. */
async function refused(pool: Pool, claim: Token, reason: BeginRefusal, id = 'a'): Promise<void> {
  const before = await pool.countEvents('verdict.refused');
  const row = reason === 'unknown_record' ? null : await pool.record(id);
  const answer = await pool.begin(claim, id);
  assert.deepEqual([answer.outcome, answer.reason], ['refused', reason], answer.message);
  const [event, ...others] = await pool.events('verdict.refused');
  assert.equal(others.length, before, 'one event');
  assert.equal(event?.severity, reason === 'not_owner' || reason === 'unknown_record' ? 'warning' : 'info');
  assert.deepEqual([event?.pool, event?.recordId, event?.message], ['orders', id, answer.message]);
  assert.deepEqual(
    [event?.data?.['verdict'], event?.data?.['reason'], event?.data?.['version']],
    ['begin', reason, answer.version],
  );
  if (row !== null) assert.equal((await pool.record(id)).attempt, row.attempt, 'no attempt is counted');
}

async function redoSafe(scene: Scene, redoWindowMs: number | null, callTimeoutMs = 0): Promise<Pool> {
  const pool = scene.pool();
  await pool.set({ redo: 'safe', redoWindowMs, callTimeoutMs });
  return pool;
}

export const beginFacts: readonly Fact[] = [
  fact('a begin counts an attempt and keeps its instant', async (scene) => {
    const pool = scene.pool();
    const claim = await pool.unbegun(['a', 'b']);
    await scene.advance(MINUTE);
    const now = await scene.now();
    const answer = await pool.begun(claim, 'a');
    assert.deepEqual([answer.version, answer.attempt, answer.message], ['', 1, begunMessage(NAME, 1)]);
    scene.assertElapsed(scene.at(answer.begunAt), now, 'begunAt');
    scene.assertRemaining(answer.remainingMs, LEASE - MINUTE);
    const row = await pool.record('a');
    assert.deepEqual([row.attempt, row.begunAt], [1, answer.begunAt]);
    assert.equal((await pool.record('b')).begunAt, null, 'of no other');
    assert.equal(await scene.countEvents(), 0);
  }),

  fact('a begin repeated with its token is accepted again and counts once', async (scene) => {
    const pool = scene.pool();
    const claim = await pool.unbegun(['a']);
    const first = await pool.begun(claim, 'a');
    const begunAt = scene.at(first.begunAt);
    await scene.advance(MINUTE);
    const again = await pool.begun(claim, 'a');
    assert.deepEqual([again.attempt, scene.at(again.begunAt)], [1, begunAt]);
    const implied = await pool.owned(['b']);
    assert.equal((await pool.begun(implied, 'b')).attempt, 1, 'also where it began with its claim');
  }),

  fact(
    'a begin is refused to a token that the record doesn’t carry, and to one that it carried (G3)',
    async (scene) => {
      const pool = scene.pool();
      const former = await pool.unbegun(['a'], { holder: 'h-1' });
      await refused(pool, NO_TOKEN, 'not_owner');
      await scene.advance(LEASE);
      await pool.unbegun(['a'], { holder: 'h-2' });
      const other = await pool.unbegun(['b'], { holder: 'h-3' });
      await refused(pool, former, 'not_owner');
      await refused(pool, other, 'not_owner');
      assert.equal(
        (await pool.begin(other, 'a')).message,
        beginRefusedMessage(NAME, 'not_owner', { remainingMs: 0, callTimeoutMs: 0 }),
      );
      await refused(pool, other, 'unknown_record', 'nowhere');
    },
  ),

  fact('a begin is refused once the record has its verdict, or waits for its provider', async (scene) => {
    const pool = scene.pool();
    const claim = await pool.unbegun(['a', 'b', 'c', 'd', 'e']);
    await pool.done(claim, 'a');
    await pool.failedForGood(claim, 'b');
    await pool.toReview(claim, 'c');
    await pool.begun(claim, 'd');
    await pool.unknown(claim, 'd');
    for (const id of ['a', 'b', 'c', 'd']) await refused(pool, claim, 'not_claimed', id);
    await pool.failed(claim, 'e');
    await refused(pool, claim, 'not_owner', 'e');
  }),

  fact('a begin is refused where less of the lease remains than one call may take', async (scene) => {
    const pool = scene.pool();
    await pool.set({ callTimeoutMs: 10 * MINUTE });
    const claim = await pool.unbegun(['a', 'b']);
    await scene.advanceToJustBefore(LEASE - 10 * MINUTE);
    await pool.begun(claim, 'a');
    await scene.advance(1 + scene.driftMs);
    if (scene.driftMs === 0) assert.equal((await pool.begun(claim, 'a')).remainingMs, 10 * MINUTE, 'as much is enough');
    await scene.advance(1);
    const answer = await pool.begin(claim, 'b');
    const remainingMs = Number(answer.remainingMs);
    scene.assertRemaining(remainingMs, 10 * MINUTE - 1);
    assert.equal(
      answer.message,
      beginRefusedMessage(recordName('orders', { id: 'b', version: '' }), 'lease_over', {
        remainingMs,
        callTimeoutMs: 10 * MINUTE,
      }),
    );
    await refused(pool, claim, 'lease_over', 'b');
    await refused(pool, claim, 'lease_over', 'a');
    assert.equal((await pool.extend(claim)).outcome, 'extended');
    await pool.begun(claim, 'b');
  }),

  fact('a begin after the lease is over is refused, even if nobody took the record', async (scene) => {
    const pool = scene.pool();
    const claim = await pool.unbegun(['a']);
    await scene.advance(LEASE);
    await refused(pool, claim, 'lease_over');
    assert.equal(
      (await pool.begin(claim, 'a')).message,
      beginRefusedMessage(NAME, 'lease_over', { remainingMs: 0, callTimeoutMs: 0 }),
    );
    await pool.settle();
    assert.deepEqual(await pool.states(), ['a queued']);
    await refused(pool, claim, 'not_owner');
  }),

  fact(
    'a begin past the time in which its provider would know it again is refused, and the record is asked for',
    async (scene) => {
      const pool = await redoSafe(scene, 3 * HOUR, MINUTE);
      await pool.lapsed(['a']);
      const claim = await pool.unbegun(['a'], { leaseMs: 5 * HOUR });
      await scene.advance(2 * HOUR);
      await refused(pool, claim, 'send_before');
      assert.equal((await pool.status()).toAsk, 1);
      await refused(pool, claim, 'not_claimed');
    },
  ),

  fact('a begin within that time is accepted', async (scene) => {
    const pool = await redoSafe(scene, 3 * HOUR, MINUTE);
    await pool.lapsed(['a']);
    const claim = await pool.unbegun(['a'], { leaseMs: 5 * HOUR });
    await scene.advanceToJustBefore(2 * HOUR - MINUTE - scene.driftMs);
    assert.equal((await pool.begun(claim, 'a')).attempt, 2);
  }),

  fact(
    'a begin answers how long it may be sent: by the lease, or by the time before which it must be',
    async (scene) => {
      const pool = await redoSafe(scene, 3 * HOUR, MINUTE);
      await pool.lapsed(['a']);
      const claim = await pool.unbegun(['a'], { leaseMs: 5 * HOUR });
      const { remainingMs } = await pool.begun(claim, 'a');
      assert.ok(Number(remainingMs) <= 3 * HOUR - MINUTE && Number(remainingMs) > HOUR, String(remainingMs));
      await scene.advance(HOUR);
      scene.assertRemaining((await pool.begun(claim, 'a')).remainingMs, Number(remainingMs) - HOUR);
      scene.assertRemaining((await pool.begun(await pool.unbegun(['b'], { leaseMs: HOUR }), 'b')).remainingMs, HOUR);
    },
  ),

  fact('a redo that is safe for ever has no time by which it must be sent', async (scene) => {
    const pool = await redoSafe(scene, null);
    await pool.lapsed(['a']);
    const claim = await pool.unbegun(['a'], { leaseMs: 24 * 31 * HOUR });
    await scene.advance(24 * 30 * HOUR);
    await pool.begun(claim, 'a');
  }),

  fact('begins by a token of a version go to that version', async (scene) => {
    const pool = scene.pool();
    const claim = await pool.unbegun([['a', '1']]);
    await scene.advance(SECOND);
    await pool.enqueue([['a', '2']]);
    const answer = await pool.begun(claim, 'a');
    assert.equal(answer.version, '1');
    assert.deepEqual([(await pool.record(['a', '1'])).attempt, (await pool.record(['a', '2'])).attempt], [1, 0]);
  }),
];
