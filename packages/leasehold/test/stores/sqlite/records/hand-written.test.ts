import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Store } from '../../../../src/ports/store.ts';
import { changeFile, HOUR, MINUTE } from '../stage.ts';
import { claimOf, done, idsOf, openScene, own, POOL } from './stage.ts';

/** Rows that a person or another program wrote: judged, not trusted, and nothing jams. Clock: one that stands still. */

async function statesOf(store: Store): Promise<string[]> {
  const rows = await store.records({ pool: POOL, state: null, id: null, after: null, limit: 100 });
  return rows.map(({ id, state }) => `${id} ${state}`);
}

test('a record that is claimed by nobody is settled as expired: when it is offered, or by a sweep', async (t) => {
  const { store, path } = await openScene(t);
  await own(store, ['a', 'b', 'c', 'd'], { explicitBegin: false });
  changeFile(path, "update records set token = null, is_begun = 0, attempt = 0 where id in ('a', 'c')");
  changeFile(path, "update records set token = 'nobody' where id in ('b', 'd')");
  const answer = await store.claim(claimOf(['a', 'b']));
  assert.deepEqual(idsOf(answer), ['a']);
  assert.deepEqual([answer.refused[0]?.why, answer.settled], ['review', { requeued: 1, review: 1, cancelled: 0 }]);
  const settled = await store.settleExpired({ pool: POOL, limit: 100 });
  assert.deepEqual([settled.requeued, settled.review, settled.isComplete], [1, 1, true]);
  assert.deepEqual(await statesOf(store), ['a claimed', 'b review', 'c queued', 'd review']);
  const error = (await store.records({ pool: POOL, state: 'review', id: 'd', after: null, limit: 1 }))[0]?.error;
  assert.equal(error, 'nobody knows the outcome of attempt 1 by unknown, and nothing can ask for it');
});

test('a record that is claimed by nobody is asked for where something can ask', async (t) => {
  const { store, path } = await openScene(t);
  await store.changePool({ pool: POOL, settings: { verifier: '{"kind":"function"}' }, reason: null });
  await own(store, ['a'], { explicitBegin: false });
  changeFile(path, 'delete from claims');
  await store.settleExpired({ pool: POOL, limit: 100 });
  const [seen] = await store.takeToAsk({ pool: POOL, limit: 10, everyMs: MINUTE });
  assert.ok(seen !== undefined);
  assert.deepEqual([seen.id, seen.claimId, seen.holder, seen.holderEndedAt], ['a', '', '', null]);
  const applied = await store.applyLookup({ seen, decision: { kind: 'done', providerRef: 'ch_1' } });
  assert.deepEqual(applied, { outcome: 'applied', state: 'done' });
});

test('a begin under a claim whose row is lost is refused: nobody knows how long it may send', async (t) => {
  const { store, path } = await openScene(t);
  const token = await own(store, ['a']);
  changeFile(path, 'delete from claims');
  const { begins } = await store.work({ pool: POOL, verdicts: [], begins: [{ id: 'a', token }] });
  assert.deepEqual([begins[0]?.reason, begins[0]?.remainingMs], ['lease_over', null]);
  const { verdicts } = await store.work({ pool: POOL, verdicts: [done('a', token, 'ref')], begins: [] });
  assert.equal(verdicts[0]?.outcome, 'accepted', 'what it did counts all the same');
});

test('a lease that ends further away than its length is drawn in by the next claim, told once', async (t) => {
  const { store, path, clock } = await openScene(t);
  await own(store, ['a'], { leaseMs: HOUR, claimId: 'c' });
  changeFile(path, 'update claims set lease_until = 8640000000000000');
  await store.claim(claimOf(['b']));
  await store.claim(claimOf(['c']));
  const events = await store.events({ lock: null, pool: POOL, kind: 'clock.fault', limit: 10 });
  assert.deepEqual(
    events.map(({ message }) => message),
    [
      'The lease of claim c of pool "orders" was to end at +275760-09-13T00:00:00.000Z, further away than its whole length: a clock was ahead. It ends at 2026-01-05T01:00:00.000Z.',
    ],
  );
  await clock.advance(HOUR);
  assert.deepEqual(idsOf(await store.claim(claimOf(['a']))), ['a']);
});

test('a lease without a length jams its records for 31 days at most', async (t) => {
  const { store, path, clock } = await openScene(t);
  await own(store, ['a']);
  changeFile(path, 'update claims set lease_ms = 0, lease_until = 8640000000000000');
  await store.claim(claimOf(['b']));
  await clock.advance(31 * 24 * HOUR);
  assert.deepEqual(idsOf(await store.claim(claimOf(['a']))), ['a']);
});

test('a begun record without an instant of its begin is settled by what is known of it', async (t) => {
  const { store, path, clock } = await openScene(t);
  const safe = { redo: 'safe', redoWindowMs: HOUR, verifier: '{"kind":"function"}' } as const;
  await store.changePool({ pool: POOL, settings: safe, reason: null });
  await own(store, ['a', 'b'], { explicitBegin: false });
  changeFile(path, 'update records set begun_at = null, first_begun_at = null');
  changeFile(path, "update records set claimed_at = null where id = 'b'");
  await clock.advance(HOUR / 2);
  const settled = await store.settleExpired({ pool: POOL, limit: 100 });
  assert.deepEqual(await statesOf(store), ['a queued', 'b claimed'], 'it began with its claim at the earliest');
  assert.equal(settled.toAsk, 1);
});

test('a queued record that waits for a version which is not there is shown as queued, and had by whoever claims it', async (t) => {
  const { store, path } = await openScene(t);
  await store.enqueue({
    pool: POOL,
    records: [{ id: 'a', version: '', payload: null, notBefore: null }],
    namespace: '',
  });
  changeFile(path, 'update records set waits = 1');
  const [pool] = await store.pools({ pool: POOL, limit: 1 });
  assert.deepEqual([pool?.queued, pool?.done], [1, 0]);
  const answer = await store.claim(claimOf(['a']));
  assert.deepEqual([answer.owned.length, answer.refused], [1, []]);
});

test('what no decision could work with can’t be stored', async (t) => {
  const { store, path } = await openScene(t);
  await own(store, ['a']);
  for (const change of [
    "update records set state = 'lost'",
    'update records set attempt = -1',
    'update records set send_before = 9000000000000000',
    "update records set verdict = 'perhaps'",
    'update claims set lease_until = null',
    'update claims set lease_ms = -1',
    "update pools set redo = 'never'",
    'update pools set attempts = 0',
    'update pools set verifier = \'["function"]\'',
    "update pools set verifier = 'function'",
  ]) {
    assert.throws(() => changeFile(path, change), /constraint failed/, change);
  }
});
