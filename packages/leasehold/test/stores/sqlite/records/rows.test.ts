import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VerdictItem } from '../../../../src/ports/record-store.ts';
import { changeFile, HOUR, MINUTE, rowsIn, startOf } from '../stage.ts';
import { claimOf, done, openScene, own, POOL, record } from './stage.ts';

/** What stands in the tables after a call, beyond what the port shows. Clock: one that stands still. */

const DAY = 24 * HOUR;

test('a claim row has who took it, under which lock, and for how long', async (t) => {
  const { store, path, clock } = await openScene(t);
  const start = await store.acquire(startOf('nightly'));
  const lockToken = 'token' in start ? start.token : assert.fail(start.message);
  await own(store, ['a'], { holder: 'web1:7', holderInfo: { pid: 7 }, claimId: 'c', leaseMs: MINUTE, lockToken });
  const now = clock.read().wallMs;
  const columns = 'claim_id, pool, holder, holder_info, lock, explicit_begin, lease_ms, lease_until, claimed_at';
  assert.deepEqual(rowsIn(path, `select ${columns}, renewed_at, settled_at from claims`), [
    {
      claim_id: 'c',
      pool: POOL,
      holder: 'web1:7',
      holder_info: '{"pid":7}',
      lock: 'nightly',
      explicit_begin: 1,
      lease_ms: MINUTE,
      lease_until: now + MINUTE,
      claimed_at: now,
      renewed_at: null,
      settled_at: null,
    },
  ]);
});

test('a claim that got nothing leaves no row, and begins and verdicts write none', async (t) => {
  const { store, path } = await openScene(t);
  const token = await own(store, ['a']);
  await store.claim(claimOf(['a']));
  const before = rowsIn(path, 'select * from claims');
  assert.equal(before.length, 1);
  await store.work({ pool: POOL, verdicts: [], begins: [{ id: 'a', token }] });
  await store.work({ pool: POOL, verdicts: [done('a', token)], begins: [] });
  assert.deepEqual(rowsIn(path, 'select * from claims'), before);
});

test('a finished claim is closed by the next claim after its lease, one with work left is not', async (t) => {
  const { store, path, clock } = await openScene(t);
  await store.changePool({ pool: POOL, settings: { verifier: '{"kind":"function"}' }, reason: null });
  const finished = await own(store, ['a']);
  const working = await own(store, ['b'], { explicitBegin: false });
  await store.work({ pool: POOL, verdicts: [done('a', finished)], begins: [] });
  const closed = 'select token from claims where settled_at is not null';
  await store.claim(claimOf(['c']));
  assert.deepEqual(rowsIn(path, closed), [], 'their leases live');
  await clock.advance(HOUR);
  await store.claim(claimOf(['d']));
  const open = rowsIn(path, 'select token from claims where settled_at is null').map(({ token }) => token);
  assert.ok(open.includes(working), 'its record waits to be asked for');
  assert.ok(!open.includes(finished));
});

test('who had a record is remembered whenever it leaves a token, with what was said', async (t) => {
  const { store, path, clock } = await openScene(t);
  await own(store, ['idle'], { holder: 'h1', claimId: 'c1' });
  await clock.advance(HOUR);
  const token = await own(store, ['idle', 'failed', 'back'], { holder: 'h2', claimId: 'c2' });
  const failed: VerdictItem = { ...done('failed', token), verdict: 'failed', error: 'HTTP 429' };
  await store.work({ pool: POOL, verdicts: [], begins: [{ id: 'failed', token }] });
  await store.work({ pool: POOL, verdicts: [failed], begins: [] });
  await store.returnUnworked({ pool: POOL, token, ids: ['back'] });
  const columns = 'id, holder, claim_id, attempt, was_begun, verdict, until_at';
  const now = clock.read().wallMs;
  assert.deepEqual(rowsIn(path, `select ${columns} from former_owners order by id`), [
    { id: 'back', holder: 'h2', claim_id: 'c2', attempt: 0, was_begun: 0, verdict: null, until_at: now },
    { id: 'failed', holder: 'h2', claim_id: 'c2', attempt: 1, was_begun: 1, verdict: 'failed', until_at: now },
    { id: 'idle', holder: 'h1', claim_id: 'c1', attempt: 0, was_begun: 0, verdict: null, until_at: now },
  ]);
});

test('a payload comes back to the letter, and a record without one has no row of it', async (t) => {
  const { store, path } = await openScene(t);
  const payload = '{ "n": 12345678901234567890.10, "text": "\\u00e9 é" }';
  const offers = [record('with', { payload }), record('without')];
  const answer = await store.claim(claimOf([], { offers }));
  assert.deepEqual(
    answer.owned.map((each) => each.payload),
    [payload, null],
  );
  assert.equal(rowsIn(path, 'select no from payloads').length, 1);
});

test('retention takes finished claims and those who had a record without beginning it, and nothing else', async (t) => {
  const { store, path, clock } = await openScene(t);
  await store.changePool({ pool: POOL, settings: { verifier: '{"kind":"function"}' }, reason: null });
  const token = await own(store, ['done', 'idle', 'failed']);
  const failed: VerdictItem = { ...done('failed', token), verdict: 'failed' };
  await store.work({ pool: POOL, verdicts: [], begins: [{ id: 'failed', token }] });
  await store.work({ pool: POOL, verdicts: [done('done', token, 'ref'), failed], begins: [] });
  await own(store, ['begun'], { explicitBegin: false });
  await clock.advance(HOUR);
  await store.claim(claimOf(['idle']));
  const prune = { runsMs: 90 * DAY, eventsMs: 365 * DAY, everyMs: 0, limit: 100 };
  await store.prune(prune);
  assert.equal(rowsIn(path, 'select 1 from claims').length, 3, 'all are young');
  await clock.advance(91 * DAY);
  await store.prune(prune);
  assert.deepEqual(
    rowsIn(path, 'select id, was_begun from former_owners'),
    [{ id: 'failed', was_begun: 1 }],
    'it may still bring evidence',
  );
  const left = rowsIn(path, 'select token from claims').map((row) => row['token']);
  assert.equal(left.length, 2, 'what is not finished stays');
  assert.ok(!left.includes(token));
  const [row] = await store.records({ pool: POOL, state: 'done', id: null, after: null, limit: 10 });
  assert.deepEqual([row?.id, row?.providerRef, row?.claimedBy], ['done', 'ref', null], 'known as done for ever');
  const again = await store.work({ pool: POOL, verdicts: [done('done', token, 'ref')], begins: [] });
  assert.equal(again.verdicts[0]?.outcome, 'accepted', 'the token of its verdict is the record’s own');
});

test('retention goes on in bounded batches', async (t) => {
  const { store, path, clock } = await openScene(t);
  for (const id of ['a', 'b', 'c']) {
    const token = await own(store, [id]);
    await store.work({ pool: POOL, verdicts: [done(id, token)], begins: [] });
  }
  await clock.advance(HOUR);
  await store.settleExpired({ pool: POOL, limit: 100 });
  await clock.advance(91 * DAY);
  const prune = { runsMs: 90 * DAY, eventsMs: 365 * DAY, everyMs: HOUR, limit: 2 };
  assert.equal((await store.prune(prune)).isComplete, false);
  assert.equal(rowsIn(path, 'select 1 from claims').length, 1);
  assert.equal((await store.prune(prune)).isComplete, true);
  assert.equal(rowsIn(path, 'select 1 from claims').length, 0);
});

test('work times are of records that have their verdict, each beside its share of the claim', async (t) => {
  const { store, clock } = await openScene(t);
  assert.deepEqual(await store.workTimes(POOL), {
    pool: POOL,
    records: 0,
    slowestMs: null,
    p50Ms: null,
    p95Ms: null,
    eachP95Ms: null,
  });
  const token = await own(store, ['a', 'b', 'c']);
  for (const id of ['a', 'b']) {
    await clock.advance(MINUTE);
    await store.work({ pool: POOL, verdicts: [done(id, token)], begins: [] });
  }
  assert.deepEqual(await store.workTimes(POOL), {
    pool: POOL,
    records: 2,
    slowestMs: 2 * MINUTE,
    p50Ms: MINUTE,
    p95Ms: 2 * MINUTE,
    eachP95Ms: MINUTE,
  });
});

test('a claim whose records begin with it is extended no further than their provider knows them again', async (t) => {
  const { store, path, clock } = await openScene(t);
  await store.changePool({ pool: POOL, settings: { callTimeoutMs: 10_000 }, reason: null });
  const implied = await own(store, ['a', 'b'], { explicitBegin: false, leaseMs: HOUR });
  const explicit = await own(store, ['c'], { leaseMs: HOUR });
  const now = clock.read().wallMs;
  changeFile(path, `update records set send_before = ${now + 2 * HOUR} where id in ('a', 'c')`);
  const extend = async (token: string, leaseMs: number): Promise<number | null> =>
    (await store.extendClaim({ pool: POOL, token, leaseMs })).remainingMs;
  assert.equal(await extend(implied, 3 * HOUR), 2 * HOUR + 10_000);
  assert.equal(await extend(implied, MINUTE), MINUTE, 'a shorter lease is as short as asked for');
  assert.equal(await extend(explicit, 3 * HOUR), 3 * HOUR, 'each of its begins is looked at by itself');
  await clock.advance(MINUTE - 1);
  changeFile(path, `update records set send_before = ${now} where id = 'b'`);
  assert.equal(await extend(implied, HOUR), 1, 'it is not made shorter than it was');
});

test('a holder that extends its claim has not ended, whatever was noted of it', async (t) => {
  const { store, path } = await openScene(t);
  const token = await own(store, ['a'], { claimId: 'c', holder: 'h' });
  assert.notEqual(await store.noteHolderEnded({ pool: POOL, claimId: 'c', holder: 'h' }), null);
  assert.equal((await store.extendClaim({ pool: POOL, token, leaseMs: null })).outcome, 'extended');
  assert.deepEqual(rowsIn(path, 'select holder_ended_at from claims'), [{ holder_ended_at: null }]);
});
