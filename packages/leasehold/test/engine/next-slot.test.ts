/** What the engine tells a store of a start's schedule, and a reader of the next slot. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StartPlan } from '../../src/domain/start-plan.ts';
import { startPlan } from '../../src/engine/next-slots.ts';
import { openCronSchedule } from '../../src/schedules/croner.ts';
import { openStage, type Stage } from './stage.ts';

const HOUR_MS = 3_600_000;
const HOURLY = { leaseMs: 60_000, schedule: { expression: '0 * * * *', timezone: 'UTC' } };

/** The stage begins on 2026-01-05 at 00:00 UTC. */
const slot = (hour: number): Date => new Date(Date.UTC(2026, 0, 5, hour));

const planOf = (expression: string, timezone: string, slotAt: string): StartPlan | null =>
  startPlan(openCronSchedule({ expression, timezone }), new Date(slotAt));

test('a start with a schedule sends the next slot, and the third one as overdue', async () => {
  await using stage = await openStage();
  await stage.lock.acquire(HOURLY);
  const plan = stage.store.callsOf('acquire')[0]?.request['plan'];
  assert.deepEqual(plan, { expression: '0 * * * *', timezone: 'UTC', nextSlotAt: slot(1), overdueAt: slot(3) });
  await stage.lock.acquire({ leaseMs: 60_000 });
  assert.equal(stage.store.callsOf('acquire')[1]?.request['plan'], null);
});

test('the slots after one are counted by the calendar: three working days over a weekend', () => {
  const plan = planOf('30 9 * * MON-FRI', 'Europe/Berlin', '2026-01-09T08:30:00Z');
  assert.deepEqual(
    [plan?.nextSlotAt.toISOString(), plan?.overdueAt.toISOString()],
    ['2026-01-12T08:30:00.000Z', '2026-01-14T08:30:00.000Z'],
  );
});

test('an hour that is repeated is one slot for fixed times: its second pass is no later slot', () => {
  const plan = planOf('0,30 2 * * *', 'Europe/Berlin', '2026-10-25T00:00:00Z');
  assert.deepEqual(
    [plan?.nextSlotAt.toISOString(), plan?.overdueAt.toISOString()],
    ['2026-10-25T00:30:00.000Z', '2026-10-26T01:30:00.000Z'],
  );
});

test('status tells the next slot by the schedule that its starts named, whenever it is asked', async () => {
  await using stage = await openStage();
  assert.equal((await nextSlot(stage)) ?? null, null);
  await (await stage.lock.acquire(HOURLY)).release({ status: 'success' });
  assert.deepEqual(await nextSlot(stage), slot(1));
  await stage.advance(5 * HOUR_MS + 1);
  assert.deepEqual(await nextSlot(stage), slot(6), 'although no start has come for five hours');
  const [status] = await stage.leasehold.status();
  assert.deepEqual(status?.nextSlotAt, slot(6));
  assert.ok(status !== undefined && !('schedule' in status), 'what the store keeps for itself is not shown');
});

test('a schedule that was stored and can’t be read gives no next slot', async () => {
  await using stage = await openStage();
  await stage.rawStore.acquire({
    lock: 'job',
    leaseMs: 60_000,
    holder: 'h',
    holderInfo: null,
    runId: 'r',
    slotAt: slot(0),
    onStale: 'reclaim',
    again: false,
    trigger: null,
    graceMs: 0,
    waiting: false,
    bypassReason: null,
    plan: { expression: 'every full moon', timezone: 'Moon/Tycho', nextSlotAt: slot(1), overdueAt: slot(3) },
  });
  const [stored] = await stage.rawStore.status({ lock: 'job', limit: 1 });
  assert.deepEqual([stored?.schedule?.expression, stored?.nextSlotAt], ['every full moon', slot(1)]);
  assert.equal(await nextSlot(stage), null);
});

async function nextSlot({ lock }: Stage): Promise<Date | null | undefined> {
  return (await lock.status())?.nextSlotAt;
}
