/**
 * What a holder may believe of its lease, and when its signal fires.
 *
 * Clock: a fake one (monotonic, boot-time and wall clock apart), which the embedded store underneath
 * reads as well. Nothing sleeps. A lease of 60 s has a margin of 10 s and a renewal every 11.25 s.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isLeaseholdError } from '../../src/errors.ts';
import { answerTakes, refused, requestTakes } from './scripted-store.ts';
import { openStage } from './stage.ts';

const LEASE = { leaseMs: 60_000 };
const TOUCH = { leaseMs: 60_000, renewal: 'touch' } as const;

test('a grant that is answered late leaves a trust window shorter by the delay', async () => {
  await using stage = await openStage();
  stage.store.next('acquire', answerTakes(4_000));
  const asking = stage.lock.acquire(TOUCH);
  await stage.advance(4_000);
  const start = await asking;
  assert.equal(start.trustRemainingMs(), 56_000);
});

test('trust counts from before the request was sent, not from when the store heard of it', async () => {
  await using stage = await openStage();
  stage.store.next('acquire', requestTakes(4_000));
  const asking = stage.lock.acquire(TOUCH);
  await stage.advance(4_000);
  assert.equal((await asking).trustRemainingMs(), 56_000);
});

test('a renewal that returns late does not extend the trust window', async () => {
  await using stage = await openStage();
  const start = await stage.lock.acquire(TOUCH);
  await stage.advance(30_000);
  stage.store.next('renew', answerTakes(4_000));
  const renewing = start.renew();
  await stage.advance(4_000);
  assert.equal((await renewing).outcome, 'renewed');
  assert.equal(start.trustRemainingMs(), 56_000);
});

test('a renewal that fails does not extend the trust window', async () => {
  await using stage = await openStage();
  const start = await stage.lock.acquire(TOUCH);
  await stage.advance(30_000);
  stage.store.next('renew', refused);
  await assert.rejects(start.renew(), { code: 'STORE_UNREACHABLE' });
  assert.equal(start.trustRemainingMs(), 30_000);
});

test('an answer that comes after that of a later renewal is not believed', async () => {
  await using stage = await openStage();
  const start = await stage.lock.acquire(TOUCH);
  stage.store.next('renew', answerTakes(3_000));
  const early = start.renew();
  await stage.advance(1_000);
  await start.renew();
  assert.equal(start.trustRemainingMs(), 60_000);
  await stage.advance(2_000);
  await early;
  assert.equal(start.trustRemainingMs(), 58_000);
});

test('the signal fires a safety margin before the lease ends when renewals fail', async () => {
  await using stage = await openStage();
  const start = await stage.lock.acquire(LEASE);
  stage.store.always(refused);
  await stage.advance(49_999);
  assert.equal(start.signal.aborted, false);
  await stage.advance(1);
  assert.equal(start.signal.aborted, true);
  assert.ok(isLeaseholdError(start.signal.reason, 'LEASE_LOST'));
  assert.equal(
    start.signal.reason.message,
    'Lock "job" was not renewed in time: its lease may end in 10s; stop, another run may start after it.',
  );
  assert.deepEqual(
    stage.log.filter(({ level }) => level === 'error').map(({ message }) => message),
    [start.signal.reason.message],
  );
});

test('with touch renewal nothing is renewed by itself, and the signal still fires', async () => {
  await using stage = await openStage();
  const start = await stage.lock.acquire(TOUCH);
  await stage.advance(49_999);
  assert.equal(start.signal.aborted, false);
  await stage.advance(1);
  assert.equal(start.signal.aborted, true);
  assert.deepEqual(stage.store.callsOf('renew'), []);
});

test('with touch renewal each renewal by hand moves the signal away', async () => {
  await using stage = await openStage();
  const start = await stage.lock.acquire(TOUCH);
  await stage.advance(40_000);
  await start.renew({ progress: 'row 12 of 40' });
  await stage.advance(49_999);
  assert.equal(start.signal.aborted, false);
  await stage.advance(1);
  assert.equal(start.signal.aborted, true);
});

test('a wall clock set back by an hour does not lengthen the trust window', async () => {
  await using stage = await openStage();
  const start = await stage.lock.acquire(TOUCH);
  await stage.advance(20_000);
  stage.clock.stepWall(-3_600_000);
  assert.equal(start.trustRemainingMs(), 40_000);
  await stage.advance(30_000);
  assert.equal(start.signal.aborted, true);
});

test('a wall clock set forward ends trust early, which is the safe side', async () => {
  await using stage = await openStage();
  const start = await stage.lock.acquire(TOUCH);
  stage.clock.stepWall(3_600_000);
  await stage.advance(1_000);
  assert.equal(start.trustRemainingMs(), 0);
  assert.equal(start.signal.aborted, true);
});

test('after a suspend the signal fires at the next look, although the timers stood still', async () => {
  await using stage = await openStage();
  const start = await stage.lock.acquire(TOUCH);
  // Held from the beginning: asking for it anew would look at the clock.
  const { signal } = start;
  await stage.advance(500);
  stage.clock.suspend(55_000);
  await stage.advance(500);
  assert.equal(signal.aborted, true);
  assert.equal(start.trustRemainingMs(), 4_000);
});

test('a suspend longer than the lease closes trust, and the message says that the lease may have ended', async () => {
  await using stage = await openStage();
  const start = await stage.lock.acquire(LEASE);
  stage.clock.suspend(120_000);
  assert.equal(start.trustRemainingMs(), 0);
  await stage.advance(1_000);
  assert.equal(start.signal.aborted, true);
  assert.match((start.signal.reason as Error).message, /its lease may have ended; stop/);
});

test('the clock is read again at least every second, and four times within the margin of a short lease', async () => {
  for (const [leaseMs, lookMs] of [
    [86_400_000, 1_000],
    [60_000, 1_000],
    [1_000, 50],
  ] as const) {
    await using stage = await openStage();
    const start = await stage.lock.acquire({ leaseMs, renewal: 'touch' });
    stage.clock.suspend(leaseMs);
    await stage.advance(lookMs);
    assert.equal(start.signal.aborted, true, `lease ${leaseMs}`);
  }
});

test('a warning is final: a renewal that gets through afterwards keeps rivals out, but the signal stays fired', async () => {
  await using stage = await openStage();
  const start = await stage.lock.acquire(LEASE);
  stage.store.always(refused);
  await stage.advance(55_000);
  assert.equal(start.signal.aborted, true);
  stage.store.always(async (pass) => await pass());
  await stage.advance(60_000);
  assert.equal(start.signal.aborted, true);
  assert.ok(start.trustRemainingMs() > 40_000);
  assert.equal((await stage.leasehold.lock('job').acquire(LEASE)).outcome, 'skipped');
});

test('a start asked for again with too little left is renewed before it is handed out', async () => {
  await using stage = await openStage();
  await stage.lock.acquire({ ...TOUCH, runId: 'run-7' });
  await stage.advance(55_000);
  const again = await stage.lock.acquire({ ...LEASE, runId: 'run-7' });
  assert.equal(again.proceed, true);
  assert.equal(again.signal.aborted, false);
  assert.equal(again.trustRemainingMs(), 60_000);
});

test('with touch renewal such a start is handed out with its signal fired', async () => {
  await using stage = await openStage();
  await stage.lock.acquire({ ...TOUCH, runId: 'run-7' });
  await stage.advance(55_000);
  const again = await stage.lock.acquire({ ...TOUCH, runId: 'run-7' });
  assert.equal(again.signal.aborted, true);
  assert.equal(again.trustRemainingMs(), 5_000);
});

test('after a release the signal never fires, trust is over and no timer is left', async () => {
  await using stage = await openStage();
  const start = await stage.lock.acquire(LEASE);
  await start.release();
  assert.equal(start.trustRemainingMs(), 0);
  assert.equal(stage.clock.pendingCount, 0);
  await stage.advance(120_000);
  assert.equal(start.signal.aborted, false);
});
