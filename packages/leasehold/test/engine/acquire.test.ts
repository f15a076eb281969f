/**
 * Asking for the lock: arguments, time-outs, lost answers.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AcquireOptions } from '../../src/engine/api.ts';
import { LeaseholdError } from '../../src/errors.ts';
import { answerLost, hangs, type Line, refused, throws } from './scripted-store.ts';
import { held, openStage } from './stage.ts';

const LEASE = { leaseMs: 60_000 };

test('a free lock is acquired, with the answer and the handle in one', async () => {
  await using stage = await openStage();
  const start = held(await stage.lock.acquire(LEASE));
  assert.equal(start.proceed, true);
  assert.equal(start.fence, 1);
  assert.equal(start.remainingMs, 60_000);
  assert.equal(start.trustRemainingMs(), 60_000);
  assert.equal(start.signal.aborted, false);
  assert.deepEqual(start.leaseUntil, new Date(stage.clock.read().wallMs + 60_000));
});

test('a start written as JSON shows the answer and nothing of the handle', async () => {
  await using stage = await openStage();
  const start = await stage.lock.acquire(LEASE);
  const fields = Object.keys(JSON.parse(JSON.stringify(start)) as object).toSorted();
  const expected = ['fence', 'leaseUntil', 'lock', 'message', 'missed', 'outcome', 'proceed', 'remainingMs'];
  assert.deepEqual(fields, [...expected, 'runId', 'skipsInRow', 'slotAt', 'token']);
});

test('a busy lock is skipped, as a value', async () => {
  await using stage = await openStage();
  await stage.lock.acquire(LEASE);
  const start = await stage.leasehold.lock('job').acquire({ ...LEASE, holder: 'host:2' });
  assert.ok(start.outcome === 'skipped');
  assert.equal(start.proceed, false);
  assert.equal(start.reason, 'held');
  assert.equal(start.current.holder, 'host:1');
});

test('what a caller leaves out has its default: this process as holder, a new run id, half the margin as grace', async () => {
  await using stage = await openStage();
  await stage.lock.acquire(LEASE);
  const { runId, ...asked } = stage.store.callsOf('acquire')[0]?.request ?? {};
  assert.match(String(runId), /^[0-9a-f-]{36}$/);
  assert.deepEqual(asked, {
    lock: 'job',
    leaseMs: 60_000,
    holder: 'host:1',
    holderInfo: { host: 'host', pid: 1 },
    slotAt: null,
    onStale: 'reclaim',
    again: false,
    trigger: null,
    graceMs: 5_000,
    bypassReason: null,
    plan: null,
    waiting: false,
  });
});

test('what a caller says reaches the store as said', async () => {
  await using stage = await openStage();
  const slotAt = new Date('2026-01-05T00:00:00Z');
  const said = {
    holder: 'exec-1',
    holderInfo: { platform: 'n8n' },
    runId: 'run-1',
    slotAt,
    onStale: 'hold',
    again: true,
    trigger: 'schedule',
    graceMs: 1_000,
  } as const;
  await stage.lock.acquire({ ...LEASE, ...said });
  const asked = stage.store.callsOf('acquire')[0]?.request;
  for (const [name, value] of Object.entries(said)) assert.deepEqual(asked?.[name], value, name);
});

test('a call to the store has the time-out of its lease', async () => {
  await using stage = await openStage();
  await stage.lock.acquire({ leaseMs: 10_000 });
  assert.equal(stage.store.callsOf('acquire')[0]?.timeoutMs, 2_000);
});

const BAD: readonly [string, unknown][] = [
  ['no options', undefined],
  ['no lease', {}],
  ['a lease of 0', { leaseMs: 0 }],
  ['a negative lease', { leaseMs: -60_000 }],
  ['a lease of 50 ms', { leaseMs: 50 }],
  ['a lease of 400 days', { leaseMs: 400 * 86_400_000 }],
  ['a lease in words', { leaseMs: '60s' }],
  ['an empty holder', { ...LEASE, holder: '' }],
  ['a holder of two lines', { ...LEASE, holder: 'a\nb' }],
  ['a run id over 1,024 bytes', { ...LEASE, runId: 'x'.repeat(1_025) }],
  ['holder info that is a list', { ...LEASE, holderInfo: [] }],
  ['a slot that is text', { ...LEASE, slotAt: '2026-01-05T00:00:00Z' }],
  ['a slot that is no instant', { ...LEASE, slotAt: new Date(Number.NaN) }],
  ['a slot in the year 57,000', { ...LEASE, slotAt: new Date(1_736_035_200_000_000) }],
  ['an unknown onStale', { ...LEASE, onStale: 'ignore' }],
  ['an unknown onBusy', { ...LEASE, onBusy: 'queue' }],
  ['a wait without a bound', { ...LEASE, onBusy: {} }],
  ['a negative wait', { ...LEASE, onBusy: { waitMs: -1 } }],
  ['an endless wait', { ...LEASE, onBusy: { waitMs: Infinity } }],
  ['an unknown renewal', { ...LEASE, renewal: 'never' }],
  ['a grace over an hour', { ...LEASE, graceMs: 3_600_001 }],
  ['again as text', { ...LEASE, again: 'yes' }],
  ['an empty trigger', { ...LEASE, trigger: '' }],
  ['a bypass without a reason', { ...LEASE, bypass: {} }],
  ['a bypass with an empty reason', { ...LEASE, bypass: { reason: '' } }],
  ['a signal that is none', { ...LEASE, signal: {} }],
];

for (const [what, options] of BAD) {
  test(`${what} is refused before the store hears of it`, async () => {
    await using stage = await openStage();
    await assert.rejects(stage.lock.acquire(options as AcquireOptions), { code: 'INVALID_ARGUMENT' });
    assert.deepEqual(stage.store.calls, []);
  });
}

test('a lock name that is empty, has 300 characters, a NUL or a newline is refused', async () => {
  await using stage = await openStage();
  for (const name of ['', 'x'.repeat(300), 'a\0b', 'a\nb']) {
    assert.throws(() => stage.leasehold.lock(name), { code: 'INVALID_ARGUMENT' });
  }
});

test('a lost answer is asked for again by the same run, which gets the lease that the first ask took', async () => {
  await using stage = await openStage();
  stage.store.next('acquire', answerLost);
  const start = held(await stage.lock.acquire(LEASE));
  assert.equal(start.outcome, 'acquired');
  assert.equal(start.fence, 1);
  const [first, second] = stage.store.callsOf('acquire');
  assert.deepEqual(first?.request, second?.request);
  const runs = await stage.leasehold.runs();
  assert.deepEqual(
    runs.map((run) => [run.runId, run.outcome]),
    [[start.runId, 'acquired']],
  );
  assert.equal(await stage.lock.isHolder(start.token), true);
});

test('trust in a lease whose answer was lost counts from the second ask, by what the store says remains', async () => {
  await using stage = await openStage();
  stage.store.next('acquire', async (pass, _call, clock) => {
    await pass();
    await clock.sleep(5_000);
    throw new LeaseholdError('STORE_UNREACHABLE', 'no answer');
  });
  const asking = stage.lock.acquire({ ...LEASE, renewal: 'touch' });
  await stage.advance(5_000);
  assert.equal((await asking).trustRemainingMs(), 55_000);
});

test('a second ask that meets the first one still under way is no answer: nobody knows what becomes of it', async () => {
  await using stage = await openStage();
  stage.store.next('acquire', refused);
  const contended: Line = async (pass) => {
    const answer = await pass();
    return Object.assign({}, answer, { outcome: 'skipped', proceed: false, reason: 'contended' });
  };
  stage.store.next('acquire', contended);
  await assert.rejects(stage.lock.acquire(LEASE), { code: 'STORE_UNREACHABLE' });
  assert.equal(stage.store.callsOf('acquire').length, 2);
});

test('a store that does not answer twice is unreachable: nothing starts, and it is not asked a third time', async () => {
  await using stage = await openStage();
  stage.store.always(refused);
  await assert.rejects(stage.lock.acquire(LEASE), { code: 'STORE_UNREACHABLE' });
  assert.equal(stage.store.callsOf('acquire').length, 2);
});

test('a store that hangs is given up after two time-outs', async () => {
  await using stage = await openStage();
  stage.store.always(hangs);
  const asking = assert.rejects(stage.lock.acquire(LEASE), { code: 'STORE_UNREACHABLE' });
  await stage.advance(10_000);
  await asking;
});

test('any other error of the store is thrown at once, as it is', async () => {
  for (const code of ['SCHEMA_MISSING', 'STORE_FORBIDDEN', 'STORE_UNUSABLE', 'IN_TRANSACTION'] as const) {
    await using stage = await openStage();
    const error = new LeaseholdError(code, 'as it is');
    stage.store.next('acquire', throws(error));
    await assert.rejects(stage.lock.acquire(LEASE), (thrown) => thrown === error);
    assert.equal(stage.store.callsOf('acquire').length, 1);
  }
});

test('a run body is never started when the store cannot be asked', async () => {
  await using stage = await openStage();
  stage.store.always(refused);
  let bodies = 0;
  await assert.rejects(
    stage.lock.run(LEASE, () => {
      bodies += 1;
    }),
    { code: 'STORE_UNREACHABLE' },
  );
  assert.equal(bodies, 0);
});
