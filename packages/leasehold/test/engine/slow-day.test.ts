/**
 * Story 1 played out on the embedded store: an hourly job, renewed by touch, takes 70 minutes on a slow
 * morning. The clock is moved; nothing sleeps.
 */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { openSqliteStore } from '../../src/stores/sqlite/store.ts';
import { CountingIds, FakeClock } from '../../src/testing/index.ts';
import type { Store } from '../../src/ports/store.ts';

const MINUTE = 60_000;

interface Tick {
  readonly outcome: string;
  readonly bodies: number;
}

/** Twelve hourly starts; each run that proceeds works for `workMs`. Answers what came of each, and how many worked at once. */
async function playSlowMorning(leaseMs: number, workMs: number): Promise<Tick[]> {
  const clock = new FakeClock();
  const store: Store = await openSqliteStore({ path: ':memory:', clock, ids: new CountingIds() });
  const ticks: Tick[] = [];
  let working: { token: string; leftMs: number }[] = [];
  for (let minute = 0; minute < 12 * 60; minute += 1) {
    if (minute % 60 === 0) {
      const answer = await store.acquire({
        lock: 'hourly',
        leaseMs,
        holder: `exec-${minute}`,
        holderInfo: null,
        runId: `run-${minute}`,
        slotAt: null,
        onStale: 'reclaim',
        again: false,
        trigger: null,
        graceMs: 0,
        waiting: false,
        bypassReason: null,
        plan: null,
      });
      if (answer.outcome === 'acquired' || answer.outcome === 'reclaimed') {
        working.push({ token: answer.token, leftMs: workMs });
      }
      ticks.push({ outcome: answer.outcome, bodies: working.length });
    }
    await clock.advance(MINUTE);
    working = working.map((run) => ({ ...run, leftMs: run.leftMs - MINUTE }));
    for (const run of working.filter((each) => each.leftMs <= 0)) {
      await store.release({ lock: 'hourly', token: run.token, status: 'success', afterMs: 0, lost: null });
    }
    working = working.filter((run) => run.leftMs > 0);
  }
  await store.close();
  return ticks;
}

it('the advised 140 minutes give skips and no reclaim of a healthy run', async () => {
  const ticks = await playSlowMorning(140 * MINUTE, 70 * MINUTE);
  assert.deepEqual([...new Set(ticks.map((tick) => tick.outcome))].toSorted(), ['acquired', 'skipped']);
  assert.equal(Math.max(...ticks.map((tick) => tick.bodies)), 1);
});

it('40 minutes, twice the usual, give the overlap: a healthy run is reclaimed at the next tick', async () => {
  const ticks = await playSlowMorning(40 * MINUTE, 70 * MINUTE);
  assert.equal(ticks[1]?.outcome, 'reclaimed');
  assert.equal(Math.max(...ticks.map((tick) => tick.bodies)), 2);
});
