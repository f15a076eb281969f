import { checkRetentionMs, PRUNE_EVERY_MS, RETENTION_DEFAULT } from '../domain/retention.ts';
import { LeaseholdError } from '../errors.ts';
import type { CallOptions, PruneReport, Store, WatchReport } from '../ports/store.ts';
import type { PruneOptions, UpkeepOptions } from './api.ts';

/** The duties that nobody waits for: each a bounded number of bounded calls, and each safe to break off anywhere. */

/** A hundred locks each. */
const WATCH_CALLS_MAX = 10;
const PRUNE_BATCH_ROWS = 1_000;
const BATCHES_DEFAULT = 10;
const BATCHES_MAX = 100;

export async function watchLocks(store: Store, options: UpkeepOptions): Promise<WatchReport> {
  const call = callOptions(options);
  let report = await store.watch(call);
  for (let calls = 1; calls < WATCH_CALLS_MAX && !report.isComplete; calls += 1) {
    const next = await store.watch(call);
    report = { raised: report.raised + next.raised, isComplete: next.isComplete };
  }
  return report;
}

export async function pruneStore(store: Store, options: PruneOptions): Promise<PruneReport> {
  const { runsMs, eventsMs, batches = BATCHES_DEFAULT } = options;
  if (!Number.isInteger(batches) || batches < 1 || batches > BATCHES_MAX) {
    throw new LeaseholdError('INVALID_ARGUMENT', `batches must be a whole number from 1 to ${BATCHES_MAX}`);
  }
  const request = {
    runsMs: checkRetentionMs(runsMs ?? RETENTION_DEFAULT.runsMs, 'runs'),
    eventsMs: checkRetentionMs(eventsMs ?? RETENTION_DEFAULT.eventsMs, 'events'),
    everyMs: PRUNE_EVERY_MS,
    limit: PRUNE_BATCH_ROWS,
  };
  const call = callOptions(options);
  let report = await store.prune(request, call);
  for (let done = 1; done < batches && report.isDue && !report.isComplete; done += 1) {
    const next = await store.prune(request, call);
    const { isComplete } = next;
    report = { isDue: true, runs: report.runs + next.runs, events: report.events + next.events, isComplete };
  }
  return report;
}

function callOptions({ timeoutMs }: UpkeepOptions): CallOptions {
  return timeoutMs === undefined ? {} : { timeoutMs };
}
