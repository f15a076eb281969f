/**
 * Clocks that move under a running holder, on the embedded store: a stepped wall clock, suspend, a reboot.
 *
 * Holder and rival are two processes of one host: the same fake clock, each with an engine of its own. Its
 * monotonic, boot-time and wall readings move apart as on a real host. The lease is a minute long: margin 10 s.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Lock, Start } from '../../src/engine/api.ts';
import { composeLeasehold } from '../../src/engine/leasehold.ts';
import { silentLogger } from '../../src/ports/logger.ts';
import { openCronSchedule } from '../../src/schedules/croner.ts';
import { CountingIds } from '../../src/testing/counting-ids.ts';
import { held, openStage, type Stage } from './stage.ts';

const SECOND = 1_000;
const LEASE_MS = 60 * SECOND;
const HOUR = 3_600 * SECOND;
const YEAR = 365 * 24 * HOUR;

interface Step {
  readonly name: string;
  readonly ms: number;
  /** Set right again after so long; null for never. */
  readonly backAfterMs: number | null;
}

const STEPS: readonly Step[] = [
  { name: 'an hour forward', ms: HOUR, backAfterMs: null },
  { name: 'an hour back', ms: -HOUR, backAfterMs: null },
  { name: 'a year forward', ms: YEAR, backAfterMs: null },
  { name: 'a year back', ms: -YEAR, backAfterMs: null },
  { name: 'an hour forward and back again', ms: HOUR, backAfterMs: 7 * SECOND },
  { name: 'an hour back and forward again', ms: -HOUR, backAfterMs: 7 * SECOND },
  { name: 'a year forward and back again', ms: YEAR, backAfterMs: 7 * SECOND },
  { name: 'a year back and forward again', ms: -YEAR, backAfterMs: 7 * SECOND },
];

function rivalOf({ rawStore, clock }: Stage): Lock {
  const parts = { store: rawStore, clock, ids: new CountingIds(), logger: silentLogger };
  const openSchedule = async (spec: Parameters<typeof openCronSchedule>[0]) => openCronSchedule(spec);
  return composeLeasehold({ ...parts, openSchedule, self: { holder: 'rival:1', holderInfo: {} } }).lock('job');
}

/** Steps the wall clock at `atMs` from now and lets `untilMs` pass; answers when a rival got the lock, null for never. */
async function rivalIn(stage: Stage, step: Step, atMs: number, untilMs: number): Promise<number | null> {
  const rival = rivalOf(stage);
  for (let nowMs = 0; nowMs <= untilMs; nowMs += SECOND) {
    if (nowMs === atMs) stage.clock.stepWall(step.ms);
    if (step.backAfterMs !== null && nowMs === atMs + step.backAfterMs) stage.clock.stepWall(-step.ms);
    const ask = await rival.acquire({ leaseMs: LEASE_MS, renewal: 'touch', runId: 'rival' });
    if (ask.proceed) {
      assert.equal(ask.outcome, 'reclaimed');
      assert.equal(ask.trustRemainingMs(), LEASE_MS, 'the rival has a whole lease');
      return nowMs;
    }
    await stage.clock.advance(SECOND);
  }
  return null;
}

async function faults(stage: Stage): Promise<number> {
  return (await stage.leasehold.events({ kind: 'clock.fault' })).length;
}

describe('a wall clock that is stepped under a lease', () => {
  for (const step of STEPS) {
    for (const atMs of [0, 30 * SECOND, 59 * SECOND]) {
      it(`${step.name}, at ${atMs / SECOND} s: a dead holder's lease ends when it would have, to the second`, async () => {
        await using stage = await openStage();
        held(await stage.lock.acquire({ leaseMs: LEASE_MS, renewal: 'touch' }));
        assert.equal(await rivalIn(stage, step, atMs, 2 * LEASE_MS), LEASE_MS);
        assert.equal(await faults(stage), 0);
      });
    }

    it(`${step.name}: a living holder keeps its lock, or stops in time, and nobody is let in beside it`, async () => {
      await using stage = await openStage();
      const start = held(await stage.lock.acquire({ leaseMs: LEASE_MS }));
      const rivalAtMs = await rivalIn(stage, step, 20 * SECOND, 10 * LEASE_MS);
      if (step.ms < 0 && step.backAfterMs === null) {
        assert.deepEqual([rivalAtMs, start.signal.aborted], [null, false], 'a step back is not even noticed');
        assert.equal(await stage.lock.isHolder(start.token), true);
        return;
      }
      // A step forward can't be told from time that passed in suspend: trust ends, which is the safe side. So it is
      // where a clock that was behind is set right. The lease lasts from the last renewal, before the step, to its end.
      const renewedMs = (step.ms > 0 ? 1 : 2) * 11_250;
      assert.equal(start.signal.aborted, true);
      assert.equal(rivalAtMs, Math.ceil((renewedMs + LEASE_MS) / SECOND) * SECOND);
    });
  }

  it('forward by less than what trust has left, costs nothing: the next renewal makes up for it', async () => {
    await using stage = await openStage();
    const start = held(await stage.lock.acquire({ leaseMs: LEASE_MS }));
    await stage.advance(5 * SECOND);
    stage.clock.stepWall(30 * SECOND);
    assert.equal(start.trustRemainingMs(), 25 * SECOND);
    await stage.advance(10 * LEASE_MS);
    assert.deepEqual([start.signal.aborted, await stage.lock.isHolder(start.token)], [false, true]);
  });

  it('set right before the next look, is not noticed at all', async () => {
    await using stage = await openStage();
    const start = held(await stage.lock.acquire({ leaseMs: LEASE_MS }));
    await stage.advance(500);
    stage.clock.stepWall(YEAR);
    stage.clock.stepWall(-YEAR);
    await stage.advance(10 * LEASE_MS);
    assert.equal(start.signal.aborted, false);
  });
});

describe('a machine that sleeps under a lease', () => {
  const sleepFor = async (asleepMs: number): Promise<{ stage: Stage; start: Start & { readonly token: string } }> => {
    const stage = await openStage();
    const start = held(await stage.lock.acquire({ leaseMs: LEASE_MS }));
    await stage.advance(5_500);
    stage.clock.suspend(asleepMs);
    return { stage, start };
  };

  it('for less than the margin leaves, is renewed as soon as it wakes and goes on', async () => {
    const { stage, start } = await sleepFor(40 * SECOND);
    await using _stage = stage;
    await stage.advance(SECOND);
    assert.deepEqual([start.signal.aborted, start.trustRemainingMs() > 59 * SECOND], [false, true]);
    assert.equal((await rivalOf(stage).acquire({ leaseMs: LEASE_MS })).outcome, 'skipped');
  });

  it('into the margin, is told to stop at the first look, and nobody is let in while it does', async () => {
    const { stage, start } = await sleepFor(46 * SECOND);
    await using _stage = stage;
    await stage.advance(SECOND);
    assert.equal(start.signal.aborted, true);
    const rival = rivalOf(stage);
    await stage.advance(5 * SECOND);
    assert.equal((await rival.acquire({ leaseMs: LEASE_MS })).outcome, 'skipped');
  });

  it('for ten minutes: whoever asks first after it gets the lock, and the sleeper is told to stop at its first look', async () => {
    const { stage, start } = await sleepFor(600 * SECOND);
    await using _stage = stage;
    assert.equal(start.trustRemainingMs(), 0);
    assert.equal((await rivalOf(stage).acquire({ leaseMs: LEASE_MS })).outcome, 'reclaimed');
    await stage.advance(SECOND);
    assert.equal(start.signal.aborted, true);
    const answer = await start.renew();
    assert.ok(answer.outcome === 'lost' && answer.reason === 'taken_over', answer.message);
    assert.equal((await start.release({ status: 'success' })).outcome, 'not_holder');
  });

  it('with a wall clock that is an hour behind when it wakes: boot time counts, nothing is frozen', async () => {
    const { stage, start } = await sleepFor(600 * SECOND);
    await using _stage = stage;
    stage.clock.stepWall(-HOUR);
    assert.equal((await rivalOf(stage).acquire({ leaseMs: LEASE_MS })).outcome, 'reclaimed');
    await stage.advance(SECOND);
    assert.equal(start.signal.aborted, true);
    assert.equal(await faults(stage), 0);
  });
});

describe('a machine that restarts under a lease', () => {
  // Who held it has gone with the machine.
  for (const [name, clockIs, endsAfterMs, faultCount] of [
    ['right', 0, LEASE_MS - 35 * SECOND, 0],
    ['ten seconds behind', -10 * SECOND, LEASE_MS - 25 * SECOND, 0],
    ['an hour behind', -HOUR, LEASE_MS, 1],
    ['a year behind', -YEAR, LEASE_MS, 1],
    ['an hour ahead', HOUR, 0, 0],
  ] as const) {
    it(`with a wall clock that is ${name}: the lease lasts no longer than a whole one`, async () => {
      await using stage = await openStage();
      held(await stage.lock.acquire({ leaseMs: LEASE_MS }));
      await stage.advance(5 * SECOND);
      stage.clock.reboot(30 * SECOND + clockIs);
      const never: Step = { name: '', ms: 0, backAfterMs: null };
      assert.equal(await rivalIn(stage, never, -1, 2 * LEASE_MS), endsAfterMs);
      assert.equal(await faults(stage), faultCount);
    });
  }
});
