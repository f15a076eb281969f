import type { HistoryRun } from '../../model/run.ts';
import { readInstant } from './instant.ts';

/**
 * One execution of n8n, as its API or its database gives it, as a run.
 *
 * `waiting` has a `stoppedAt` (of its last part) and goes on later, so it is open whatever stands there. Executions
 * before n8n had a status are told by `stoppedAt`, `finished` and `waitTill`; so are those whose status is `unknown`.
 */
export interface N8nExecution {
  readonly id: unknown;
  readonly workflowId: unknown;
  readonly workflowName: string | null;
  readonly status: unknown;
  readonly mode: unknown;
  readonly finished: unknown;
  readonly startedAt: unknown;
  readonly stoppedAt: unknown;
  /** Of the database only. */
  readonly createdAt: unknown;
  readonly waitTill: unknown;
  readonly retryOf: unknown;
  readonly workflowVersionId: unknown;
  /** Of the database only: which trigger it was planned by, and the planned instant. */
  readonly deduplicationKey: unknown;
}

/** Ids go into reports: not more of one than any id has. */
const ID_LENGTH_MAX = 100;

type Outcome = Pick<HistoryRun, 'state' | 'result'>;

/** Maps, because a file may say `constructor`. */
const OUTCOMES: ReadonlyMap<string, Outcome> = new Map(
  Object.entries<Outcome>({
    success: { state: 'ended', result: 'success' },
    error: { state: 'ended', result: 'failure' },
    failed: { state: 'ended', result: 'failure' },
    crashed: { state: 'ended', result: 'crashed' },
    canceled: { state: 'ended', result: 'cancelled' },
    running: { state: 'running', result: 'unknown' },
    waiting: { state: 'waiting', result: 'unknown' },
    new: { state: 'queued', result: 'unknown' },
  }),
);

const CAUSES: ReadonlyMap<string, HistoryRun['cause']> = new Map(
  Object.entries<HistoryRun['cause']>({
    trigger: 'trigger',
    webhook: 'webhook',
    chat: 'webhook',
    manual: 'manual',
    cli: 'manual',
    evaluation: 'manual',
    retry: 'retry',
    integrated: 'sub-workflow',
    internal: 'sub-workflow',
    error: 'sub-workflow',
  }),
);

export function n8nRun(execution: N8nExecution): HistoryRun {
  const { state, result } = outcomeOf(execution);
  const started = readInstant(execution.startedAt);
  const stopped = readInstant(execution.stoppedAt);
  const isOpen = state !== 'ended';
  const waits = state === 'waiting' && isGiven(execution.waitTill);
  const since = state === 'queued' && started.ms === null ? readInstant(execution.createdAt) : started;
  return {
    workflow: idOf(execution.workflowId) ?? '(not saved)',
    workflowName: execution.workflowName,
    runId: idOf(execution.id) ?? '(no id)',
    startedAtMs: since.ms,
    endedAtMs: isOpen ? null : stopped.ms,
    state,
    result,
    ...(waits ? { waitTillMs: untilCalled(readInstant(execution.waitTill).ms) } : {}),
    cause: CAUSES.get(String(execution.mode)) ?? 'unknown',
    retryOf: idOf(execution.retryOf),
    versionId: idOf(execution.workflowVersionId),
    slotAtMs: plannedAt(execution.deduplicationKey),
    isClockSuspect: since.isSuspect || (!isOpen && stopped.isSuspect),
  };
}

function outcomeOf({ status, finished, stoppedAt, waitTill }: N8nExecution): Outcome {
  const known = typeof status === 'string' ? OUTCOMES.get(status) : undefined;
  if (known !== undefined) return known;
  const isSuccess = finished === true || finished === 1;
  if (isSuccess) return { state: 'ended', result: 'success' };
  if (isGiven(waitTill)) return { state: 'waiting', result: 'unknown' };
  if (!isGiven(stoppedAt)) return { state: 'running', result: 'unknown' };
  return { state: 'ended', result: isGiven(status) ? 'unknown' : 'failure' };
}

/** Where a form, an approval or a webhook ends the wait, n8n writes the year 3000. */
const FOR_EVER_MS = Date.UTC(2999, 0, 1);

const untilCalled = (ms: number | null): number | null => (ms !== null && ms < FOR_EVER_MS ? ms : null);

/** `workflowId:nodeId:INSTANT` of the plain scheduler, `jobId:INSTANT` of the durable one. */
function plannedAt(key: unknown): number | null {
  const instant = typeof key === 'string' ? /\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.exec(key)?.[0] : undefined;
  return instant === undefined ? null : readInstant(instant).ms;
}

function isGiven(value: unknown): boolean {
  return value !== null && value !== undefined && value !== '';
}

function idOf(value: unknown): string | null {
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  return typeof value === 'string' && value !== '' ? value.slice(0, ID_LENGTH_MAX) : null;
}
