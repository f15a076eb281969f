/** The duties that nobody waits for: bounded, and with arguments that can't do harm. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { composeLeasehold } from '../../src/engine/leasehold.ts';
import { isLeaseholdError } from '../../src/errors.ts';
import { silentLogger } from '../../src/ports/logger.ts';
import type { PruneReport, PruneRequest, Store, WatchReport } from '../../src/ports/store.ts';
import type { Leasehold } from '../../src/index.ts';
import { FakeClock } from '../../src/testing/fake-clock.ts';
import { openStage } from './stage.ts';

const DAY_MS = 86_400_000;

/** A store that never comes to an end, and takes its time. */
async function endless(
  msPerCall: number,
): Promise<{ leasehold: Leasehold; calls: (number | undefined)[]; requests: PruneRequest[] }> {
  const stage = await openStage();
  const calls: (number | undefined)[] = [];
  const requests: PruneRequest[] = [];
  const clock = new FakeClock();
  const store: Store = Object.assign(Object.create(stage.store) as Store, {
    watch: async (call?: { timeoutMs?: number }): Promise<WatchReport> => {
      calls.push(call?.timeoutMs);
      await clock.advance(msPerCall);
      return { raised: 100, isComplete: false };
    },
    prune: async (request: PruneRequest, call?: { timeoutMs?: number }): Promise<PruneReport> => {
      calls.push(call?.timeoutMs);
      requests.push(request);
      await clock.advance(msPerCall);
      return { isDue: true, runs: 1_000, events: 10, isComplete: false };
    },
  });
  const parts = { store, clock, ids: { newId: () => 'x', random: () => 0 }, logger: silentLogger };
  const openSchedule = (): never => {
    throw new Error('no schedule here');
  };
  const leasehold = composeLeasehold({ ...parts, openSchedule, self: { holder: 'h', holderInfo: {} } });
  return { leasehold, calls, requests };
}

test('a watch and a prune that find no end stop after ten calls', async () => {
  const { leasehold, calls } = await endless(1);
  assert.deepEqual(await leasehold.watch(), { raised: 1_000, isComplete: false });
  assert.deepEqual(await leasehold.prune(), { isDue: true, runs: 10_000, events: 100, isComplete: false });
  assert.equal(calls.length, 20);
});

test('they stop when their time is over, and each call has what is left of it', async () => {
  const { leasehold, calls } = await endless(400);
  assert.equal((await leasehold.watch({ timeoutMs: 1_000 })).raised, 300);
  assert.deepEqual(calls, [1_000, 600, 200]);
});

test('rows are kept for 90 and 365 days unless somebody says otherwise', async () => {
  const { leasehold, requests } = await endless(5_000);
  await leasehold.prune();
  await leasehold.prune({ runsMs: DAY_MS, eventsMs: 7 * DAY_MS });
  assert.deepEqual(
    requests.map(({ runsMs, eventsMs, everyMs, limit }) => [runsMs / DAY_MS, eventsMs / DAY_MS, everyMs, limit]),
    [
      [90, 365, 3_600_000, 1_000],
      [1, 7, 3_600_000, 1_000],
    ],
  );
});

test('less than a day is refused before any store hears of it, as is what is no number', async () => {
  const { leasehold, calls } = await endless(1);
  for (const options of [
    { runsMs: DAY_MS - 1 },
    { eventsMs: 0 },
    { runsMs: Number.NaN },
    { eventsMs: 1e15 },
    { timeoutMs: 0 },
  ]) {
    await assert.rejects(leasehold.prune(options), (error) => isLeaseholdError(error, 'INVALID_ARGUMENT'));
  }
  await assert.rejects(leasehold.prune({ runsMs: 5 }), /retention of runs is 5ms; it must lie between 1d and 36525d/);
  await assert.rejects(leasehold.watch({ timeoutMs: 0.5 }), {
    message: 'timeoutMs must be a whole number from 1 to 600000',
  });
  assert.deepEqual(calls, []);
});
