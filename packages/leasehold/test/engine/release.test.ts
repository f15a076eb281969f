/**
 * Giving the lock back. Clock: fake, shared with the embedded store.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LeaseholdError } from '../../src/errors.ts';
import { answerLost, answerTakes, clear, refused, throws } from './scripted-store.ts';
import { held, openStage } from './stage.ts';

const LEASE = { leaseMs: 60_000 };

test('a released lock is free, and its run carries the status', async () => {
  await using stage = await openStage();
  const start = await stage.lock.acquire(LEASE);
  assert.equal((await start.release({ status: 'success' })).outcome, 'released');
  assert.equal((await stage.lock.status())?.state, 'free');
  assert.equal((await stage.leasehold.runs())[0]?.status, 'success');
});

test('leaving the scope of await using releases, on return and on a throw', async () => {
  await using stage = await openStage();
  const body = async (fails: boolean): Promise<void> => {
    await using _start = await stage.lock.acquire(LEASE);
    if (fails) throw new Error('work failed');
  };
  await body(false);
  assert.equal((await stage.lock.status())?.state, 'free');
  await assert.rejects(body(true), { message: 'work failed' });
  assert.equal((await stage.lock.status())?.state, 'free');
});

test('a second release gives the same answer without asking the store', async () => {
  await using stage = await openStage();
  const start = await stage.lock.acquire(LEASE);
  const first = await start.release({ status: 'success' });
  assert.equal(await start.release(), first);
  await start[Symbol.asyncDispose]();
  assert.equal(stage.store.callsOf('release').length, 1);
});

test('two releases at once are one', async () => {
  await using stage = await openStage();
  const start = await stage.lock.acquire(LEASE);
  stage.store.next('release', answerTakes(1_000));
  const both = Promise.all([start.release(), start.release()]);
  await stage.advance(1_000);
  const [first, second] = await both;
  assert.equal(first, second);
  assert.equal(stage.store.callsOf('release').length, 1);
});

test('a repeat adds a status that was missing, and changes none', async () => {
  await using stage = await openStage();
  const start = await stage.lock.acquire(LEASE);
  await start.release();
  assert.equal((await start.release({ status: 'failure' })).outcome, 'released');
  assert.equal((await stage.leasehold.runs())[0]?.status, 'failure');
  await start.release({ status: 'success' });
  assert.equal((await stage.leasehold.runs())[0]?.status, 'failure');
});

test('a release through an outage of six seconds is tried again and gets through (C39)', async () => {
  await using stage = await openStage();
  const start = await stage.lock.acquire(LEASE);
  stage.store.always(refused);
  const releasing = start.release({ status: 'success' });
  await stage.advance(6_000);
  stage.store.always(clear);
  await stage.advance(2_000);
  assert.equal((await releasing).outcome, 'released');
  const [run] = await stage.leasehold.runs();
  assert.equal(run?.status, 'success');
});

test('an outage longer than what is left of a short lease does not lose the status either (C39)', async () => {
  await using stage = await openStage();
  const start = await stage.lock.acquire({ leaseMs: 3_000 });
  stage.store.always(refused);
  const releasing = start.release({ status: 'success' });
  await stage.advance(6_000);
  stage.store.always(clear);
  await stage.advance(2_000);
  assert.equal((await releasing).outcome, 'expired');
  assert.equal((await stage.leasehold.runs())[0]?.status, 'success');
});

test('a release whose answer was lost is repeated and says released', async () => {
  await using stage = await openStage();
  const start = await stage.lock.acquire(LEASE);
  stage.store.next('release', answerLost);
  const releasing = start.release({ status: 'success' });
  await stage.advance(100);
  assert.equal((await releasing).outcome, 'released');
});

test('a release is given up when the lease is over, at the latest after 60 s, with one last try then', async () => {
  for (const [leaseMs, untilMs] of [
    [30_000, 30_000],
    [3_600_000, 60_000],
    [2_000, 10_000],
  ] as const) {
    await using stage = await openStage();
    const start = await stage.lock.acquire({ leaseMs });
    stage.store.always(refused);
    const releasing = assert.rejects(start.release({ status: 'success' }), { code: 'STORE_UNREACHABLE' });
    await stage.advance(untilMs);
    await releasing;
    assert.equal(stage.store.callsOf('release').at(-1)?.atMs, 1_000 + untilMs);
  }
});

test('the error of a release that was given up names the lock and says what becomes of it', async () => {
  await using stage = await openStage();
  const start = await stage.lock.acquire(LEASE);
  stage.store.always(refused);
  const releasing = assert.rejects(start.release(), {
    message: /^Lock "job" could not be released within 1m; its lease ends by itself\. Store test: the line is down/,
  });
  await stage.advance(60_000);
  await releasing;
});

test('tries of a release come closer than every two seconds, and not in a hot loop', async () => {
  await using stage = await openStage();
  const start = await stage.lock.acquire(LEASE);
  stage.store.always(refused);
  const releasing = assert.rejects(start.release());
  await stage.advance(60_000);
  await releasing;
  const tries = stage.store.callsOf('release').length;
  assert.ok(tries > 30 && tries < 60, `${tries} tries`);
});

test('an error that no repeat can mend is thrown at once', async () => {
  await using stage = await openStage();
  const start = await stage.lock.acquire(LEASE);
  const error = new LeaseholdError('STORE_FORBIDDEN', 'no right');
  stage.store.next('release', throws(error));
  await assert.rejects(start.release(), (thrown) => thrown === error);
});

test('a disposal that cannot release logs a warning and throws nothing over the work', async () => {
  await using stage = await openStage();
  const body = async (): Promise<string> => {
    await using _start = await stage.lock.acquire(LEASE);
    stage.store.always(refused);
    return 'good result';
  };
  const working = body();
  await stage.advance(61_000);
  assert.equal(await working, 'good result');
  const warnings = stage.log.filter(({ level }) => level === 'warn').map(({ message }) => message);
  assert.deepEqual(warnings, ['Lock "job" was not released; its lease ends by itself.']);
});

test('a disposal after a release that failed says what that release meant to say', async () => {
  await using stage = await openStage();
  const start = await stage.lock.acquire(LEASE);
  stage.store.always(refused);
  const releasing = assert.rejects(start.release({ status: 'failure' }));
  await stage.advance(60_000);
  await releasing;
  stage.store.always(clear);
  await start[Symbol.asyncDispose]();
  assert.equal((await stage.leasehold.runs())[0]?.status, 'failure');
});

test('releasing an expired lease answers expired and throws nothing (C32)', async () => {
  await using stage = await openStage();
  const start = await stage.lock.acquire({ ...LEASE, renewal: 'touch' });
  await stage.advance(61_000);
  assert.equal((await start.release({ status: 'success' })).outcome, 'expired');
  assert.equal((await stage.leasehold.runs())[0]?.status, 'success');
});

test('releasing a lock that another run took over answers not_holder and frees nothing', async () => {
  await using stage = await openStage();
  const start = await stage.lock.acquire({ ...LEASE, renewal: 'touch' });
  await stage.advance(61_000);
  const rival = held(await stage.leasehold.lock('job').acquire(LEASE));
  assert.equal((await start.release({ status: 'success' })).outcome, 'not_holder');
  assert.equal(await stage.lock.isHolder(rival.token), true);
});

test('a release with after keeps the next start out for that long', async () => {
  await using stage = await openStage();
  const start = await stage.lock.acquire(LEASE);
  await start.release({ status: 'failure', afterMs: 5_000 });
  const early = await stage.lock.acquire(LEASE);
  assert.ok(early.outcome === 'skipped' && early.reason === 'cooling');
  await stage.advance(5_000);
  assert.equal((await stage.lock.acquire(LEASE)).outcome, 'acquired');
});

test('an unknown status and a negative after are refused before the store hears of them, and the lock stays held', async () => {
  await using stage = await openStage();
  const start = held(await stage.lock.acquire(LEASE));
  await assert.rejects(start.release({ status: 'ok' as 'success' }), { code: 'INVALID_ARGUMENT' });
  await assert.rejects(start.release({ afterMs: -1 }), { code: 'INVALID_ARGUMENT' });
  assert.deepEqual(stage.store.callsOf('release'), []);
  await stage.advance(120_000);
  assert.equal(await stage.lock.isHolder(start.token), true);
});

test('a renewal after the release answers lost, released, without asking', async () => {
  await using stage = await openStage();
  const start = await stage.lock.acquire(LEASE);
  await start.release();
  const answer = await start.renew();
  assert.ok(answer.outcome === 'lost' && answer.reason === 'released');
  assert.deepEqual(stage.store.callsOf('renew'), []);
});

test('a renewal that is under way when the release begins does not fire the signal', async () => {
  await using stage = await openStage();
  const start = await stage.lock.acquire(LEASE);
  stage.store.next('renew', async (pass, _call, clock) => {
    await clock.sleep(1_000);
    return await pass();
  });
  await stage.advance(11_250);
  const releasing = start.release();
  await stage.advance(1_000);
  await releasing;
  assert.equal(start.signal.aborted, false);
  assert.deepEqual(
    stage.log.filter(({ level }) => level === 'error'),
    [],
  );
});
