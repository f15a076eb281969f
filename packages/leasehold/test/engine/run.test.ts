/**
 * lock.run: the work under its lock. Clock: fake, shared with the embedded store.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refused } from './scripted-store.ts';
import { held, openStage, type Stage } from './stage.ts';

const LEASE = { leaseMs: 60_000 };

const lockState = async (stage: Stage): Promise<string | undefined> => (await stage.lock.status())?.state;

test('the work runs under the lock, and its result comes back with the start and the release', async () => {
  await using stage = await openStage();
  const run = await stage.lock.run(LEASE, async (start) => await stage.lock.isHolder(held(start).token));
  assert.ok(run.proceed);
  assert.equal(run.result, true);
  assert.equal(run.start.outcome, 'acquired');
  assert.equal(run.release?.outcome, 'released');
});

test('the lock is released on return, on a throw and on a rejected promise, so that the next tick gets it (C02)', async () => {
  await using stage = await openStage();
  const bodies: [string, () => unknown, string][] = [
    ['return', () => 1, 'success'],
    [
      'throw',
      () => {
        throw new Error('work failed');
      },
      'failure',
    ],
    ['reject', () => Promise.reject(new Error('work failed')), 'failure'],
  ];
  for (const [how, body, status] of bodies) {
    const running = stage.lock.run(LEASE, body);
    if (status === 'success') await running;
    else await assert.rejects(running, { message: 'work failed' });
    assert.equal(await lockState(stage), 'free', how);
    const [run] = await stage.leasehold.runs({ limit: 1 });
    assert.deepEqual([run?.outcome, run?.status], ['acquired', status], how);
  }
});

test('a promise that the work returns is awaited: the tick at 30 s is skipped while it takes 45 s (C03)', async () => {
  await using stage = await openStage();
  const tick = stage.lock.run(LEASE, () => stage.clock.sleep(45_000));
  await stage.advance(30_000);
  const second = await stage.leasehold.lock('job').run({ ...LEASE, holder: 'host:2' }, () => assert.fail('ran twice'));
  assert.ok(!second.proceed && second.start.outcome === 'skipped');
  assert.equal(second.start.reason, 'held');
  await stage.advance(15_000);
  assert.ok((await tick).proceed);
  assert.equal(await lockState(stage), 'free');
});

test('a job of 150 s under a lease of 60 s is never started twice by a tick every 60 s (C01)', async () => {
  await using stage = await openStage();
  const outcomes: string[] = [];
  const runs: Promise<unknown>[] = [];
  for (let tick = 0; tick < 4; tick += 1) {
    const run = stage.lock.run({ ...LEASE, holder: `tick:${tick}` }, () => stage.clock.sleep(150_000));
    runs.push(run);
    if (tick > 0 && tick < 3) outcomes.push((await run).start.outcome);
    await stage.advance(60_000);
  }
  await stage.advance(150_000);
  await Promise.all(runs);
  assert.deepEqual(outcomes, ['skipped', 'skipped']);
  const recorded = (await stage.leasehold.runs()).map((run) => [run.outcome, run.ageMs]).toReversed();
  assert.deepEqual(recorded, [
    ['acquired', null],
    ['skipped', 60_000],
    ['skipped', 120_000],
    ['acquired', null],
  ]);
});

test('a skipped start runs nothing and releases nothing', async () => {
  await using stage = await openStage();
  await stage.lock.acquire(LEASE);
  const run = await stage.leasehold.lock('job').run({ ...LEASE, holder: 'host:2' }, () => assert.fail('ran twice'));
  assert.equal(run.proceed, false);
  assert.deepEqual(stage.store.callsOf('release'), []);
});

test('a bypass runs the work and holds nothing', async () => {
  await using stage = await openStage();
  await stage.lock.acquire(LEASE);
  const run = await stage.leasehold.lock('job').run({ ...LEASE, bypass: { reason: 'fire drill' } }, () => 'done');
  assert.ok(run.proceed);
  assert.equal(run.start.outcome, 'bypassed');
  assert.equal(run.result, 'done');
  assert.equal(run.release?.outcome, 'already_free');
  assert.equal(await lockState(stage), 'held');
});

test('a release that fails keeps the result of the work: release is null, and that is logged', async () => {
  await using stage = await openStage();
  const running = stage.lock.run(LEASE, () => {
    stage.store.always(refused);
    return 'good result';
  });
  await stage.advance(61_000);
  const run = await running;
  assert.ok(run.proceed);
  assert.equal(run.result, 'good result');
  assert.equal(run.release, null);
  const errors = stage.log.filter(({ level }) => level === 'error').map(({ message }) => message);
  assert.deepEqual(errors, [
    'Lock "job" was not released after its work ended with success; its lease ends by itself.',
  ]);
});

test("a release that fails does not hide the work's own error", async () => {
  await using stage = await openStage();
  const failure = new Error('work failed');
  const running = assert.rejects(
    stage.lock.run(LEASE, () => {
      stage.store.always(refused);
      throw failure;
    }),
    (thrown) => thrown === failure,
  );
  await stage.advance(61_000);
  await running;
});

test('what the work throws is thrown as it is, even if it is no error', async () => {
  await using stage = await openStage();
  for (const thrown of ['text', null, undefined, 7]) {
    const running = stage.lock.run(LEASE, () => {
      // oxlint-disable-next-line typescript/only-throw-error -- people do
      throw thrown;
    });
    await running.then(
      () => assert.fail('did not throw'),
      (caught: unknown) => assert.equal(caught, thrown),
    );
    assert.equal(await lockState(stage), 'free');
  }
});

test('work that ends after its lease keeps its result, and the release says expired (C32)', async () => {
  await using stage = await openStage();
  const running = stage.lock.run({ ...LEASE, renewal: 'touch' }, async () => {
    await stage.clock.sleep(61_000);
    return 'good result';
  });
  await stage.advance(61_000);
  const run = await running;
  assert.ok(run.proceed);
  assert.equal(run.result, 'good result');
  assert.equal(run.release?.outcome, 'expired');
  assert.equal((await stage.leasehold.runs())[0]?.status, 'success');
});

test('work that ends after another run took its lock over keeps its result and its status', async () => {
  await using stage = await openStage();
  const running = stage.lock.run({ ...LEASE, renewal: 'touch' }, async () => {
    await stage.clock.sleep(70_000);
    return 'good result';
  });
  await stage.advance(61_000);
  const rival = held(await stage.leasehold.lock('job').acquire({ ...LEASE, holder: 'host:2' }));
  assert.equal(rival.outcome, 'reclaimed');
  await stage.advance(9_000);
  const run = await running;
  assert.ok(run.proceed);
  assert.equal(run.release?.outcome, 'not_holder');
  assert.equal((await stage.leasehold.runs({ runId: run.start.runId }))[0]?.status, 'success');
  assert.equal(await stage.lock.isHolder(rival.token), true);
});

test('the work hears of a lost lease by its signal and ends by itself', async () => {
  await using stage = await openStage();
  const running = stage.lock.run(LEASE, (start) => stage.clock.sleep(600_000, start.signal));
  const ended = assert.rejects(running, { code: 'LEASE_LOST' });
  await stage.advance(20_000);
  await stage.rawStore.forceRelease({ lock: 'job', reason: 'stuck', atOnce: false });
  await stage.advance(3_000);
  await ended;
  assert.equal(await lockState(stage), 'free');
});

test('what the work itself has said of its run stands', async () => {
  await using stage = await openStage();
  await stage.lock.run(LEASE, async (start) => {
    await start.release({ status: 'failure' });
  });
  assert.equal((await stage.leasehold.runs())[0]?.status, 'failure');
});

test('work that is no function is refused before the store hears of it', async () => {
  await using stage = await openStage();
  await assert.rejects(stage.lock.run(LEASE, 'job' as unknown as () => void), { code: 'INVALID_ARGUMENT' });
  assert.deepEqual(stage.store.calls, []);
});
