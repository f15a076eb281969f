/** How the engine asks after holders: whom, how often, for how long, and what it makes of silence. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ProbeVerdict } from '../../src/domain/evidence.ts';
import type { Probe, ProbeSubject } from '../../src/ports/probe.ts';
import { held, openStage, type Stage } from './stage.ts';
import { answerLost, answerTakes, refused } from './scripted-store.ts';

const SECOND = 1_000;
const LEASE_MS = 60 * SECOND;
const INFO = { probe: 'process', pid: 17 };
const SAYS: Readonly<Record<ProbeVerdict['state'], ProbeVerdict>> = {
  alive: { state: 'alive', detail: 'it runs' },
  ended: { state: 'ended', detail: 'it is gone' },
  unknown: { state: 'unknown', detail: 'who knows' },
};

interface Asked {
  readonly subject: ProbeSubject;
  readonly timeoutMs: number;
  readonly atMs: number;
}

/** A stage whose processes are asked after by this; the clock that only the test moves is its clock. */
async function openProbed(
  answer: (stage: Stage, subject: ProbeSubject) => Promise<ProbeVerdict> | ProbeVerdict,
): Promise<Stage & { readonly asked: Asked[] }> {
  const asked: Asked[] = [];
  const probe: Probe = {
    system: 'process',
    async ask(subject, timeoutMs) {
      asked.push({ subject, timeoutMs, atMs: stage.clock.read().monotonicMs });
      return await answer(stage, subject);
    },
  };
  const stage = await openStage({ probes: [probe] });
  return Object.assign(stage, { asked });
}

/** A rival's lease on lock `job`, at the store itself. */
async function rivalHolds(stage: Stage, leaseMs = LEASE_MS, runId = 'rival-run'): Promise<string> {
  const answer = await stage.rawStore.acquire({
    lock: 'job',
    leaseMs,
    holder: 'rival',
    holderInfo: INFO,
    runId,
    slotAt: null,
    onStale: 'reclaim',
    again: false,
    trigger: null,
    graceMs: 0,
    waiting: false,
    bypassReason: null,
    plan: null,
  });
  return held(answer).token;
}

test('a start that meets a holder asks after it, and takes the lock of one that has ended', async () => {
  await using stage = await openProbed(() => SAYS.ended);
  await rivalHolds(stage);
  const start = held(await stage.lock.acquire({ leaseMs: LEASE_MS }));
  assert.ok(start.outcome === 'reclaimed');
  assert.equal(start.previous.probe, 'ended: it is gone');
  assert.deepEqual(
    stage.asked.map(({ subject, timeoutMs }) => [subject, timeoutMs]),
    [[{ lock: 'job', holder: 'rival', runId: 'rival-run', holderInfo: INFO }, 2 * SECOND]],
  );
  await start.release();
});

test('a free lock asks nobody, and costs one call', async () => {
  await using stage = await openProbed(() => SAYS.ended);
  await using _start = await stage.lock.acquire({ leaseMs: LEASE_MS });
  assert.equal(stage.asked.length, 0);
  assert.equal(stage.store.callsOf('acquire').length, 1);
});

test('a probe is listened to for a fifth of a short lease, and what it says later is not heard', async () => {
  await using stage = await openProbed(async ({ clock }) => {
    await clock.sleep(LEASE_MS);
    return SAYS.ended;
  });
  await rivalHolds(stage);
  const start = stage.lock.acquire({ leaseMs: 5 * SECOND });
  await stage.advance(999);
  assert.equal(stage.store.callsOf('acquire').length, 1);
  await stage.advance(1);
  const answer = await start;
  assert.ok(answer.outcome === 'skipped' && answer.reason === 'held');
  const { request } = stage.store.callsOf('acquire')[1] ?? {};
  const evidence = request?.['evidence'] as ProbeVerdict;
  assert.deepEqual([evidence.state, evidence.detail], ['unknown', 'the process probe did not answer in time']);
});

test('a probe that throws, or talks nonsense, is as good as one that does not know', async () => {
  const wrong: [answer: () => ProbeVerdict, said: string][] = [
    [
      () => {
        throw new Error('it broke');
      },
      'the process probe failed',
    ],
    [() => ({ state: 'dead', detail: 'x' }) as unknown as ProbeVerdict, 'x'],
    [() => ({ state: 'unknown', detail: '\u0000\n' }), 'no reason given'],
    [() => ({ state: 'unknown', detail: 7 }) as unknown as ProbeVerdict, 'no reason given'],
    [() => ({ state: 'unknown', detail: '\u0000\ud800\n'.repeat(500) }), '\ufffd '.repeat(100).trim()],
  ];
  for (const [answer, said] of wrong) {
    await using stage = await openProbed(answer);
    await rivalHolds(stage);
    const start = await stage.lock.acquire({ leaseMs: LEASE_MS });
    assert.ok(start.outcome === 'skipped' && start.reason === 'held');
    const evidence = stage.store.callsOf('acquire')[1]?.request['evidence'] as ProbeVerdict;
    assert.equal(evidence.state, 'unknown');
    assert.equal(evidence.detail, said);
    assert.ok(evidence.detail.length <= 200 && evidence.detail.isWellFormed() && !/\p{Cc}/u.test(evidence.detail));
  }
});

test('a probe that throws is told to the logger, with its error', async () => {
  const error = new Error('it broke');
  await using stage = await openProbed(() => {
    throw error;
  });
  await rivalHolds(stage);
  await stage.lock.acquire({ leaseMs: LEASE_MS });
  assert.deepEqual(
    stage.log.map(({ level, message, fields }) => [level, message, fields['error']]),
    [['warn', 'The process probe of lock "job" failed; its lease decides.', error]],
  );
});

test('a store that asks for a probe which it was not offered hears that nobody can ask, and starts nothing', async () => {
  await using stage = await openProbed(() => SAYS.ended);
  const first = { outcome: 'probe_first', lock: 'job', fence: 1, leaseUntil: null, remainingMs: 0 };
  const answer = { ...first, holder: 'rival', runId: 'rival-run', holderInfo: { probe: 'make' } };
  stage.store.always(async <T>() => answer as T, ['acquire']);
  await assert.rejects(stage.lock.acquire({ leaseMs: LEASE_MS }), {
    name: 'TypeError',
    message: 'the store asked for a probe that it was not offered',
  });
  const heard = stage.store.callsOf('acquire').map(({ request }) => request['evidence'] as ProbeVerdict | null);
  assert.equal(heard[1]?.detail, 'nobody here can ask its system');
  assert.equal(heard.length, 3);
});

test('a holder that renews each time it is asked after keeps its lock: after two probes the clock decides', async () => {
  let token = '';
  await using stage = await openProbed(async ({ rawStore, clock }) => {
    await clock.advance(1);
    await rawStore.renew({ lock: 'job', token, leaseMs: null, progress: null, holderInfo: null });
    return SAYS.ended;
  });
  token = await rivalHolds(stage);
  const start = await stage.lock.acquire({ leaseMs: LEASE_MS });
  assert.ok(start.outcome === 'skipped' && start.reason === 'held');
  assert.equal(await stage.rawStore.isHolder('job', token), true);
  assert.ok(stage.asked.length <= 2);
  assert.equal(stage.store.callsOf('acquire').length, 3);
});

test('trust counts from before the ask that was granted, however long the probe took', async () => {
  await using stage = await openProbed(async ({ clock }) => {
    await clock.sleep(SECOND);
    return SAYS.ended;
  });
  await rivalHolds(stage);
  stage.store.next('acquire', answerTakes(SECOND), answerTakes(3 * SECOND));
  const asking = stage.lock.acquire({ leaseMs: LEASE_MS });
  for (let step = 0; step < 6; step += 1) await stage.advance(SECOND);
  const start = held(await asking);
  assert.equal(start.trustRemainingMs(), LEASE_MS - 4 * SECOND);
  await start.release();
});

test('a lost answer to a start with evidence is asked for again and gets the same lease; of all asks one is repeated', async () => {
  await using stage = await openProbed(() => SAYS.ended);
  await rivalHolds(stage);
  stage.store.next('acquire', (pass) => pass(), answerLost);
  const start = held(await stage.lock.acquire({ leaseMs: LEASE_MS }));
  assert.deepEqual([start.outcome, start.fence], ['reclaimed', 2]);
  await start.release();
  await rivalHolds(stage, LEASE_MS, 'rival-run-2');
  stage.store.next('acquire', refused, (pass) => pass(), refused);
  await assert.rejects(stage.lock.acquire({ leaseMs: LEASE_MS }), { code: 'STORE_UNREACHABLE' });
});

test('a start that waits asks after a live holder every few seconds at most, and afresh when its lease has ended', async () => {
  await using stage = await openProbed(() => SAYS.alive);
  await rivalHolds(stage, 20 * SECOND);
  const waiting = stage.lock.acquire({ leaseMs: LEASE_MS, onBusy: { waitMs: 30 * SECOND } });
  for (let second = 0; second < 31; second += 1) await stage.advance(SECOND);
  const start = await waiting;
  assert.ok(start.outcome === 'skipped' && start.reason === 'held');
  const times = stage.asked.map(({ atMs }) => atMs);
  const gaps = times.slice(1).map((atMs, index) => atMs - (times[index] ?? 0));
  const beforeEnd = gaps.slice(0, 5);
  assert.ok(Math.min(...beforeEnd) >= 3 * SECOND, `asked after ${gaps.join(', ')} ms`);
  assert.ok(times.length >= 7 && times.length <= 12, `asked ${times.length} times`);
  const [extended] = await stage.leasehold.events({ kind: 'lease.extended' });
  assert.ok(extended !== undefined, 'the lease of the live holder went on');
});

test('a start that waits takes the lock as soon as its holder is proven to have ended', async () => {
  let state: ProbeVerdict['state'] = 'alive';
  await using stage = await openProbed(() => SAYS[state]);
  await rivalHolds(stage);
  const waiting = stage.lock.acquire({ leaseMs: LEASE_MS, onBusy: { waitMs: 50 * SECOND } });
  for (let second = 0; second < 10; second += 1) await stage.advance(SECOND);
  state = 'ended';
  for (let second = 0; second < 6; second += 1) await stage.advance(SECOND);
  const start = held(await waiting);
  assert.equal(start.outcome, 'reclaimed');
  await start.release();
});

test('what a holder tells of itself in a renewal that fails is told by the next heartbeat', async () => {
  await using stage = await openStage();
  const start = held(await stage.lock.acquire({ leaseMs: LEASE_MS }));
  const holderInfo = { ...INFO, childGroup: { pgid: 18, startTicks: 9 } };
  stage.store.next('renew', refused);
  await assert.rejects(start.renew({ holderInfo }), { code: 'STORE_UNREACHABLE' });
  await stage.advance(20 * SECOND);
  assert.deepEqual((await stage.lock.status())?.holderInfo, holderInfo);
  await stage.advance(20 * SECOND);
  const told = stage.store.callsOf('renew').filter(({ request }) => request['holderInfo'] !== null);
  assert.equal(told.length, 2, 'and then no more');
  await start.release();
});

test('a start that may be left to run out says that it is not to be extended', async () => {
  await using stage = await openStage();
  await using _own = await stage.lock.acquire({ leaseMs: LEASE_MS, holderInfo: INFO, withholdRenewal: () => null });
  assert.deepEqual((await stage.lock.status())?.holderInfo, { ...INFO, extendable: false });
});

test('`run` names its process for a probe, `acquire` does not, and what a caller says of the holder is kept', async () => {
  const workInfo = { ...INFO, childGroup: 'none' };
  await using stage = await openStage({ workInfo });
  const infoOf = async (): Promise<unknown> => (await stage.lock.status())?.holderInfo;
  const { lock } = stage;
  await lock.run({ leaseMs: LEASE_MS }, async () => assert.deepEqual(await infoOf(), workInfo));
  await lock.run({ leaseMs: LEASE_MS, holderInfo: { platform: 'x' } }, async () =>
    assert.deepEqual(await infoOf(), { platform: 'x' }),
  );
  await using _start = await lock.acquire({ leaseMs: LEASE_MS });
  assert.deepEqual(await infoOf(), { host: 'host', pid: 1 });
});
