import { checkRetentionMs, PRUNE_EVERY_MS, RETENTION_DEFAULT } from '../domain/retention.ts';
import { LeaseholdError } from '../errors.ts';
import type { CallOptions, PruneReport, WatchReport } from '../ports/store.ts';
import type { PruneOptions, UpkeepOptions } from './duty-options.ts';
import type { EngineParts } from './parts.ts';

/**
 * The duties that nobody waits for. Each is a bounded number of calls within a bounded time, and safe to break off
 * anywhere: a call that got no answer is simply made again by whoever comes next.
 */

const TIMEOUT_MS_DEFAULT = 5_000;
const TIMEOUT_MS_MAX = 600_000;
/** Of a hundred locks each. */
const WATCH_CALLS_MAX = 10;
const PRUNE_BATCHES_MAX = 10;
const PRUNE_BATCH_ROWS = 1_000;

export async function watchLocks(parts: EngineParts, options: UpkeepOptions): Promise<WatchReport> {
  let raised = 0;
  let isComplete = false;
  await repeat(parts, options, WATCH_CALLS_MAX, async (call) => {
    const report = await parts.store.watch(call);
    raised += report.raised;
    isComplete = report.isComplete;
    return !isComplete;
  });
  return { raised, isComplete };
}

export async function pruneStore(parts: EngineParts, options: PruneOptions): Promise<PruneReport> {
  const request = {
    runsMs: checkRetentionMs(options.runsMs ?? RETENTION_DEFAULT.runsMs, 'runs'),
    eventsMs: checkRetentionMs(options.eventsMs ?? RETENTION_DEFAULT.eventsMs, 'events'),
    everyMs: PRUNE_EVERY_MS,
    limit: PRUNE_BATCH_ROWS,
  };
  let sum: PruneReport = { isDue: false, runs: 0, events: 0, isComplete: true };
  await repeat(parts, options, PRUNE_BATCHES_MAX, async (call) => {
    const report = await parts.store.prune(request, call);
    const { isComplete } = report;
    const isDue = sum.isDue || report.isDue;
    sum = { isDue, runs: sum.runs + report.runs, events: sum.events + report.events, isComplete };
    return !isComplete;
  });
  return sum;
}

/** Calls while there is more to do, time left, and fewer calls made than `most`. */
async function repeat(
  { clock }: EngineParts,
  { timeoutMs = TIMEOUT_MS_DEFAULT }: UpkeepOptions,
  most: number,
  callOnce: (call: CallOptions) => Promise<boolean>,
): Promise<void> {
  if (!Number.isInteger(timeoutMs) || timeoutMs < 1 || timeoutMs > TIMEOUT_MS_MAX) {
    throw new LeaseholdError('INVALID_ARGUMENT', `timeoutMs must be a whole number from 1 to ${TIMEOUT_MS_MAX}`);
  }
  const startedAt = clock.read().monotonicMs;
  for (let calls = 0; calls < most; calls += 1) {
    const leftMs = Math.floor(timeoutMs - (clock.read().monotonicMs - startedAt));
    if (leftMs < 1 || !(await callOnce({ timeoutMs: leftMs }))) return;
  }
}
