/**
 * Renewal by heartbeat, and the loss of a lease. Clock: fake, shared with the embedded store.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LeaseholdError } from '../../src/errors.ts';
import { answerLost, clear, hangs, refused, throws } from './scripted-store.ts';
import { held, openStage } from './stage.ts';

const LEASE = { leaseMs: 60_000 };

const broken = (): never => {
  throw new Error('disk full');
};

test('a heartbeat renews every quarter of the lease without time-out and margin', async () => {
  await using stage = await openStage();
  const start = await stage.lock.acquire(LEASE);
  await stage.advance(600_000);
  const times = stage.store.callsOf('renew').map((call) => call.atMs - 1_000);
  assert.deepEqual(times.slice(0, 4), [11_250, 22_500, 33_750, 45_000]);
  assert.equal(times.length, 53);
  assert.equal(start.signal.aborted, false);
});

test('each renewal asks for the lease of this start and has the time-out that belongs to it', async () => {
  await using stage = await openStage();
  await stage.lock.acquire({ leaseMs: 10_000 });
  await stage.advance(1_500);
  const [call] = stage.store.callsOf('renew');
  assert.equal(call?.request['leaseMs'], 10_000);
  assert.equal(call?.timeoutMs, 2_000);
});

test('three missed renewals fit into a lease, even if each hangs until its time-out', async () => {
  for (const leaseMs of [1_000, 10_000, 60_000, 3_600_000]) {
    await using stage = await openStage();
    const start = await stage.lock.acquire({ leaseMs });
    stage.store.next('renew', hangs, hangs, hangs);
    await stage.advance(leaseMs * 3);
    assert.equal(start.signal.aborted, false, `lease ${leaseMs}`);
    assert.ok(stage.store.callsOf('renew').length > 3);
  }
});

test('a renewal that failed is tried again sooner than the next one is due', async () => {
  await using stage = await openStage();
  await stage.lock.acquire(LEASE);
  stage.store.next('renew', refused, refused);
  await stage.advance(30_000);
  const times = stage.store.callsOf('renew').map((call) => call.atMs - 1_000);
  assert.deepEqual(times, [11_250, 13_360, 15_470, 26_720]);
});

test('an outage is logged once as a warning, and its end once', async () => {
  await using stage = await openStage();
  await stage.lock.acquire(LEASE);
  stage.store.next('renew', refused, refused, refused);
  await stage.advance(30_000);
  const loud = stage.log.filter(({ level }) => level !== 'debug').map(({ level, message }) => [level, message]);
  assert.deepEqual(loud, [
    ['warn', 'Lock "job" could not be renewed; it is tried again.'],
    ['info', 'Lock "job" is renewed again.'],
  ]);
});

test('a renewal whose answer was lost extends the lease, not the trust in it', async () => {
  await using stage = await openStage();
  const start = await stage.lock.acquire(LEASE);
  stage.store.next('renew', answerLost);
  await stage.advance(11_250);
  assert.equal(start.trustRemainingMs(), 48_750);
  assert.equal((await stage.lock.status())?.remainingMs, 60_000);
});

test('a renewal that fell due in suspend goes out at the next look', async () => {
  await using stage = await openStage();
  const start = await stage.lock.acquire(LEASE);
  stage.clock.suspend(40_000);
  await stage.advance(1_000);
  assert.equal(stage.store.callsOf('renew').length, 1);
  assert.equal(start.trustRemainingMs(), 60_000);
});

test('a lost lease fires the signal at once with the words of the store, and ends the heartbeat', async () => {
  await using stage = await openStage();
  const start = held(await stage.lock.acquire(LEASE));
  await stage.rawStore.forceRelease({ lock: 'job', reason: 'stuck', atOnce: true });
  await stage.advance(11_249);
  assert.equal(start.signal.aborted, false);
  await stage.advance(1);
  const reason: unknown = start.signal.reason;
  assert.ok(reason instanceof LeaseholdError && reason.code === 'LEASE_LOST');
  assert.equal(reason.message, 'Lost lock "job": it was force-released; stop.');
  assert.equal(start.trustRemainingMs(), 0);
  await stage.advance(120_000);
  assert.equal(stage.store.callsOf('renew').length, 1);
  assert.equal(stage.clock.pendingCount, 0);
});

test('a lost lease stays lost: renew answers the same without asking again', async () => {
  await using stage = await openStage();
  const start = await stage.lock.acquire(LEASE);
  await stage.rawStore.forceRelease({ lock: 'job', reason: 'stuck', atOnce: true });
  const first = await start.renew();
  assert.equal(first.outcome, 'lost');
  assert.equal(start.signal.aborted, true);
  assert.deepEqual(await start.renew(), first);
  assert.equal(stage.store.callsOf('renew').length, 1);
});

test('a holder whose lock another run has got is told at its next renewal, and by whom', async () => {
  await using stage = await openStage();
  const start = held(await stage.lock.acquire(LEASE));
  await stage.rawStore.release({ lock: 'job', token: start.token, status: null, afterMs: 0, lost: null });
  const rival = held(await stage.leasehold.lock('job').acquire({ ...LEASE, holder: 'host:2' }));
  await stage.advance(11_250);
  assert.match(
    (start.signal.reason as Error).message,
    /^Lost lock "job": run .* of holder host:2 took it over; stop\.$/,
  );
  assert.equal(rival.signal.aborted, false);
});

test('after a freeze longer than the lease the work is told, and nothing is thrown at the process (C31)', async () => {
  const faults: unknown[] = [];
  const note = (fault: unknown): void => {
    faults.push(fault);
  };
  process.on('unhandledRejection', note);
  await using stage = await openStage();
  const start = await stage.lock.acquire(LEASE);
  stage.clock.suspend(120_000);
  await stage.advance(60_000);
  assert.equal(start.signal.aborted, true);
  assert.equal((await start.release()).outcome, 'expired');
  process.off('unhandledRejection', note);
  assert.deepEqual(faults, []);
});

test('whatever a store throws at a heartbeat stays inside it', async () => {
  const faults: unknown[] = [];
  const note = (fault: unknown): void => {
    faults.push(fault);
  };
  process.on('unhandledRejection', note);
  for (const error of [new TypeError('bug'), 'text', null, new LeaseholdError('SCHEMA_NEWER', 'newer')]) {
    await using stage = await openStage();
    const start = await stage.lock.acquire(LEASE);
    stage.store.always(throws(error), ['renew']);
    await stage.advance(60_000);
    assert.equal(start.signal.aborted, true);
    assert.ok(stage.log.some(({ level, fields }) => level === 'error' && fields['error'] === error));
  }
  process.off('unhandledRejection', note);
  assert.deepEqual(faults, []);
});

test('a logger that throws stops neither the heartbeat nor the process', async () => {
  await using stage = await openStage({ logger: { debug: broken, info: broken, warn: broken, error: broken } });
  const start = await stage.lock.acquire(LEASE);
  stage.store.next('renew', refused, refused);
  await stage.advance(120_000);
  assert.equal(start.signal.aborted, false);
});

test('a renewal by hand may carry progress, and a heartbeat keeps what it said', async () => {
  await using stage = await openStage();
  const start = held(await stage.lock.acquire(LEASE));
  await start.renew({ progress: 'row 12 of 40' });
  await stage.advance(30_000);
  stage.store.always(refused, ['renew']);
  await stage.advance(60_000);
  stage.store.always(clear);
  const next = await stage.leasehold.lock('job').acquire(LEASE);
  assert.ok(next.outcome === 'reclaimed');
  assert.equal(next.previous.progress, 'row 12 of 40');
});

test('progress outside its limits is refused before the store hears of it', async () => {
  await using stage = await openStage();
  const start = await stage.lock.acquire(LEASE);
  await assert.rejects(start.renew({ progress: '' }), { code: 'INVALID_ARGUMENT' });
  await assert.rejects(start.renew({ progress: 'two\nlines' }), { code: 'INVALID_ARGUMENT' });
  assert.deepEqual(stage.store.callsOf('renew'), []);
});
