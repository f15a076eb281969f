/** What a store has stored of one lock, and what the model says that it must have. */
import type { LeaseholdEvent } from '../../src/domain/answers.ts';
import type { Run } from '../../src/domain/run.ts';
import type { LockModel } from './model/lock-model.ts';
import type { Expected } from './model/model-rows.ts';
import { partOf, plain, type Subject } from './subject.ts';

const ROWS_MAX = 1_000;

/** Oldest first. */
export interface Stored {
  readonly runs: readonly Run[];
  readonly events: readonly LeaseholdEvent[];
  readonly status: Expected | null;
  readonly lastSuccessSlotAt: number | null;
}

export async function readStored({ store, locks, startMs }: Subject, index: number): Promise<Stored> {
  const lock = locks[index] ?? '';
  const runs = (await store.runs({ lock, runId: null, limit: ROWS_MAX })).toReversed();
  const events = (await store.events({ lock, kind: null, limit: ROWS_MAX })).toReversed();
  const { lastSuccessSlotAt } = await store.marks(lock);
  const [status] = await store.status({ lock, limit: 1 });
  return {
    runs,
    events,
    status: status === undefined ? null : plain(status, startMs),
    lastSuccessSlotAt: lastSuccessSlotAt === null ? null : lastSuccessSlotAt.getTime() - startMs,
  };
}

/** Both sides in one form, to be compared: the actual one and the expected one. */
export function sides(stored: Stored, model: LockModel, startMs: number): readonly [Expected, Expected] {
  const rows = model.runs.map(rowOf);
  const shown = model.isKnown ? model.status() : null;
  const actual = {
    status: stored.status === null ? null : partOf(stored.status, shown ?? {}),
    lastSuccessSlotAt: stored.lastSuccessSlotAt,
    runs: stored.runs.map((run, at) => partOf(plain(run, startMs), rows[at] ?? { runId: run.runId })),
    events: stored.events.map(({ kind, runId }) => ({ kind, runId })),
  };
  return [actual, { status: shown, lastSuccessSlotAt: model.slots.lastDone(), runs: rows, events: model.events }];
}

function rowOf(run: LockModel['runs'][number]): Expected {
  const { runId, holder, outcome, reason, slot, fence, startedAt, endedAt, status, leaseMs, renewedAt } = run;
  const when = { slotAt: slot, startedAt, endedAt, status, leaseMs, renewedAt };
  const met = { ageMs: run.ageMs, previousRunId: run.previousRunId };
  return { runId, holder, outcome, reason, fence: fence === 0 ? null : fence, ...when, ...met };
}
