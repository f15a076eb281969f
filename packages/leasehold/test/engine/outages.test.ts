/**
 * A store that goes away for 0.5, 5, 60 and 600 s while a run holds its lock, whatever way its calls fail.
 *
 * Clock: fake, shared with the embedded store underneath; nothing sleeps. The holder's line to the store is
 * cut and a rival's is not, which is the worst case: somebody could take the lock. A lease of 60 s has a margin of
 * 10 s, a renewal every 11.25 s and a store time-out of 5 s; its command would be killed 5 s after the signal.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { heartbeatEveryMs, killGraceMs, safetyMarginMs } from '../../src/domain/timing.ts';
import type { Leasehold, Start } from '../../src/engine/api.ts';
import { composeLeasehold } from '../../src/engine/leasehold.ts';
import { silentLogger } from '../../src/ports/logger.ts';
import { openCronSchedule } from '../../src/schedules/croner.ts';
import { CountingIds } from '../../src/testing/counting-ids.ts';
import { answerLost, answerTakes, clear, hangs, type Line, refused } from './scripted-store.ts';
import { held, openStage, type Stage } from './stage.ts';

const MINUTE = 60_000;
const STEP_MS = 250;

const FAILURES: readonly (readonly [string, Line])[] = [
  ['is refused', refused],
  ['hangs until its time-out', hangs],
  ['arrives and loses its answer', answerLost],
];

interface Outage {
  readonly leaseMs: number;
  readonly line: Line;
  readonly lengthMs: number;
  /** After the start. */
  readonly beginsAtMs: number;
}

/** What became of a run in an outage; instants count from the start. */
interface Course {
  readonly start: Start & { readonly token: string; readonly fence: number };
  readonly signalledAtMs: number | null;
  /** When a rival, who asked all the time, got the lock. */
  readonly rivalAtMs: number | null;
  readonly told: readonly string[];
}

function rivalOf({ rawStore, clock }: Stage): Leasehold {
  return composeLeasehold({
    store: rawStore,
    clock,
    ids: new CountingIds(),
    openSchedule: async (spec) => openCronSchedule(spec),
    logger: silentLogger,
    self: { holder: 'rival:1', holderInfo: {} },
  });
}

/** Runs through the outage and one lease beyond it; a rival asks for the lock all the time. */
async function sitOut(stage: Stage, { leaseMs, line, lengthMs, beginsAtMs }: Outage): Promise<Course> {
  const rival = rivalOf(stage).lock('job');
  const start = held(await stage.lock.acquire({ leaseMs }));
  const changes = new Map([
    [beginsAtMs, line],
    [beginsAtMs + lengthMs, clear],
  ]);
  let signalledAtMs: number | null = null;
  let rivalAtMs: number | null = null;
  for (let atMs = 0; atMs < beginsAtMs + lengthMs + leaseMs; atMs += STEP_MS) {
    await passStep(stage, atMs, changes);
    if (start.signal.aborted) signalledAtMs ??= atMs + STEP_MS;
    if (rivalAtMs === null && (await rival.acquire({ leaseMs, renewal: 'touch', runId: 'rival' })).proceed) {
      rivalAtMs = atMs + STEP_MS;
    }
  }
  const told = stage.log.filter(({ level }) => level !== 'debug').map(({ level }) => level);
  return { start, signalledAtMs, rivalAtMs, told };
}

/** One step of time; the line changes at its own instants in it. */
async function passStep({ store, clock }: Stage, fromMs: number, changes: ReadonlyMap<number, Line>): Promise<void> {
  let nowMs = fromMs;
  for (const [atMs, line] of changes) {
    if (atMs < fromMs || atMs >= fromMs + STEP_MS) continue;
    await clock.advance(atMs - nowMs);
    nowMs = atMs;
    store.always(line);
  }
  await clock.advance(fromMs + STEP_MS - nowMs);
}

/** When an outage may begin: just after a renewal, between two, just before one. */
function phasesOf(leaseMs: number): number[] {
  const everyMs = heartbeatEveryMs(leaseMs);
  return [0, 1, Math.floor(everyMs / 2), everyMs - 1, everyMs];
}

/** Not killed, lease kept, nobody let in, and told once that it was away and once that it is back. */
async function assertUndisturbed(stage: Stage, course: Course): Promise<void> {
  const { start, signalledAtMs, rivalAtMs, told } = course;
  assert.deepEqual([signalledAtMs, rivalAtMs], [null, null]);
  assert.ok(told.length <= 2 && told.every((level) => level === 'warn' || level === 'info'), String(told));
  assert.equal(await stage.lock.isHolder(start.token), true);
  assert.equal((await start.release({ status: 'success' })).outcome, 'released');
  const next = held(await stage.lock.acquire({ leaseMs: MINUTE }));
  assert.equal(next.fence, start.fence + 1, 'the lock was granted to nobody in between');
}

/** The signal comes a margin before the lease ends, and TERM, grace and KILL are over before a rival is let in. */
function assertStoppedInTime({ signalledAtMs, rivalAtMs }: Course, leaseMs: number, renewedAtMs: number): void {
  const endsAtMs = renewedAtMs + leaseMs;
  assert.ok(signalledAtMs !== null && rivalAtMs !== null, 'the signal fires, and a rival gets the lock');
  assert.ok(signalledAtMs <= endsAtMs - safetyMarginMs(leaseMs) + STEP_MS, `signal at ${signalledAtMs}`);
  assert.ok(rivalAtMs >= endsAtMs && rivalAtMs <= endsAtMs + STEP_MS, `rival at ${rivalAtMs}`);
  assert.ok(rivalAtMs - signalledAtMs > killGraceMs(leaseMs), 'the command is gone by then');
}

describe('a store that goes away during a run', () => {
  for (const [failure, line] of FAILURES) {
    describe(`where each call ${failure}`, () => {
      for (const [lengthMs, leaseMs] of [
        [500, MINUTE],
        [5_000, MINUTE],
        [3 * heartbeatEveryMs(MINUTE), MINUTE],
        [MINUTE, 5 * MINUTE],
        [3 * heartbeatEveryMs(5 * MINUTE), 5 * MINUTE],
      ] as const) {
        it(`for ${lengthMs / 1_000} s leaves a lease of ${leaseMs / MINUTE} min undisturbed, whenever it begins`, async () => {
          for (const beginsAtMs of phasesOf(leaseMs)) {
            await using stage = await openStage();
            await assertUndisturbed(stage, await sitOut(stage, { leaseMs, line, lengthMs, beginsAtMs }));
          }
        });
      }

      for (const [lengthMs, leaseMs] of [
        [MINUTE, MINUTE],
        [10 * MINUTE, MINUTE],
        [10 * MINUTE, 5 * MINUTE],
      ] as const) {
        it(`for ${lengthMs / 1_000} s stops a lease of ${leaseMs / MINUTE} min in time, and nobody starts beside it`, async () => {
          await using stage = await openStage();
          // Where only answers are lost, the store has heard of every renewal: nobody else gets in while they go out.
          const course = await sitOut(stage, { leaseMs, line, lengthMs, beginsAtMs: 500 });
          if (line !== answerLost) assertStoppedInTime(course, leaseMs, 0);
          else {
            assert.ok((course.signalledAtMs ?? Infinity) <= leaseMs - safetyMarginMs(leaseMs) + STEP_MS);
            assert.ok((course.rivalAtMs ?? Infinity) >= leaseMs);
          }
          assert.deepEqual(course.told, ['warn', 'error'], 'told once that it is away, once that the lease is lost');
        });
      }
    });
  }
});

describe('how long an outage may be', () => {
  /** Whether the signal fires in an outage, or in the lease after it. */
  async function isStopped({ leaseMs, line, lengthMs, beginsAtMs }: Outage): Promise<boolean> {
    await using stage = await openStage();
    const start = await stage.lock.acquire({ leaseMs });
    await stage.clock.advance(beginsAtMs);
    stage.store.always(line);
    await stage.clock.advance(lengthMs);
    stage.store.always(clear);
    await stage.clock.advance(leaseMs);
    return start.signal.aborted;
  }

  for (const leaseMs of [1_000, 2_000, 3_000, 10_000, MINUTE, 5 * MINUTE]) {
    it(`for a lease of ${leaseMs / 1_000} s: three heartbeats never stop a run, the lease without its margin always does`, async () => {
      for (const [failure, line] of FAILURES) {
        for (const beginsAtMs of phasesOf(leaseMs)) {
          const short = { leaseMs, line, beginsAtMs, lengthMs: 3 * heartbeatEveryMs(leaseMs) };
          assert.equal(await isStopped(short), false, `${failure}, from ${beginsAtMs} ms on`);
          const long = { ...short, lengthMs: leaseMs - safetyMarginMs(leaseMs) };
          assert.equal(await isStopped(long), true, `${failure}, from ${beginsAtMs} ms on`);
        }
      }
    });
  }
});

describe('a store that answers late and then goes away', () => {
  it('stops the run a margin before the lease ends, counted from when the renewal was sent', async () => {
    await using stage = await openStage();
    const start = held(await stage.lock.acquire({ leaseMs: MINUTE }));
    const sentAtMs = heartbeatEveryMs(MINUTE);
    stage.store.next('renew', answerTakes(4_500));
    await stage.clock.advance(sentAtMs + 4_500);
    stage.store.always(refused);
    await stage.clock.advance(MINUTE - safetyMarginMs(MINUTE) - 4_500);
    assert.equal(start.signal.aborted, true);
    const rival = rivalOf(stage).lock('job');
    await stage.clock.advance(safetyMarginMs(MINUTE) - 1);
    assert.equal((await rival.acquire({ leaseMs: MINUTE, runId: 'rival' })).outcome, 'skipped');
    await stage.clock.advance(1);
    assert.equal((await rival.acquire({ leaseMs: MINUTE, runId: 'rival' })).outcome, 'reclaimed');
  });
});

describe('a run that ends while the store is away', () => {
  for (const [failure, line] of FAILURES) {
    for (const [lengthMs, leaseMs, outcome] of [
      [500, MINUTE, 'released'],
      [5_000, MINUTE, 'released'],
      [55_000, 5 * MINUTE, 'released'],
      // The lease may well end before the store is back: the status counts all the same.
      [5_000, 3_000, line === answerLost ? 'released' : 'expired'],
    ] as const) {
      it(`for ${lengthMs / 1_000} s, lease ${leaseMs / 1_000} s, each call ${failure}: its success counts for its slot`, async () => {
        await using stage = await openStage();
        const slotAt = new Date(stage.clock.read().wallMs);
        const start = held(await stage.lock.acquire({ leaseMs, slotAt, renewal: 'touch' }));
        await stage.advance(500);
        stage.store.always(line);
        const releasing = start.release({ status: 'success' });
        await stage.advance(lengthMs);
        stage.store.always(clear);
        await stage.advance(10_000);
        assert.equal((await releasing).outcome, outcome);
        assert.equal(start.signal.aborted, false);
        const again = await rivalOf(stage).lock('job').acquire({ leaseMs, slotAt });
        assert.ok(again.outcome === 'already_ran' && again.earlier.runId === start.runId, again.message);
      });
    }

    if (line !== answerLost) {
      it(`for 600 s, each call ${failure}: that is thrown within its bound, and the slot may run again`, async () => {
        await using stage = await openStage();
        const slotAt = new Date(stage.clock.read().wallMs);
        const start = held(await stage.lock.acquire({ leaseMs: 5 * MINUTE, slotAt }));
        stage.store.always(line);
        const releasing = assert.rejects(start.release({ status: 'success' }), { code: 'STORE_UNREACHABLE' });
        await stage.advance(MINUTE + 5_000);
        await releasing;
        await stage.advance(9 * MINUTE);
        stage.store.always(clear);
        assert.equal((await stage.lock.acquire({ leaseMs: MINUTE, slotAt })).outcome, 'reclaimed');
      });
    }
  }
});

describe('a start while the store is away', () => {
  for (const [failure, line] of FAILURES) {
    it(`where each call ${failure}: nothing starts, and it is known within two time-outs`, async () => {
      await using stage = await openStage();
      stage.store.always(line);
      const starting = assert.rejects(stage.lock.acquire({ leaseMs: MINUTE }), { code: 'STORE_UNREACHABLE' });
      await stage.advance(10_000);
      await starting;
      assert.equal(stage.store.callsOf('acquire').length, 2);
    });
  }

  it('whose answers alone were lost may have left a lease that nobody knows of: it ends by itself', async () => {
    await using stage = await openStage();
    stage.store.always(answerLost);
    await assert.rejects(stage.lock.acquire({ leaseMs: MINUTE }), { code: 'STORE_UNREACHABLE' });
    stage.store.always(clear);
    assert.equal((await stage.lock.acquire({ leaseMs: MINUTE })).outcome, 'skipped');
    await stage.advance(MINUTE);
    assert.equal((await stage.lock.acquire({ leaseMs: MINUTE })).outcome, 'reclaimed');
  });
});
