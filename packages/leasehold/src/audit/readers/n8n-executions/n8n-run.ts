import type { HistoryRun } from '../../model/run.ts';
import { redact } from '../../redact.ts';
import { isObject, type JsonObject, objectAt, textAt } from '../json/json-value.ts';
import { InstantReader } from '../table/instants.ts';

/** n8n's own words for what started a run. */
const CAUSES: Readonly<Record<string, HistoryRun['cause']>> = {
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
};

const OUTCOMES: Readonly<Record<string, Pick<HistoryRun, 'state' | 'result'>>> = {
  success: { state: 'ended', result: 'success' },
  error: { state: 'ended', result: 'failure' },
  failed: { state: 'ended', result: 'failure' },
  crashed: { state: 'ended', result: 'crashed' },
  canceled: { state: 'ended', result: 'cancelled' },
  running: { state: 'running', result: 'unknown' },
  waiting: { state: 'waiting', result: 'unknown' },
  new: { state: 'queued', result: 'unknown' },
};

/** True for an execution of n8n, in the shape of its API, its database or its export. */
export function isN8nExecution(value: JsonObject): boolean {
  if (!('startedAt' in value || 'stoppedAt' in value || 'createdAt' in value)) return false;
  const marks = ['workflowId', 'workflowData', 'finished', 'waitTill', 'retrySuccessId'].filter((key) => key in value);
  return (
    marks.length > 0 && ('mode' in value || 'finished' in value || 'stoppedAt' in value || 'workflowData' in value)
  );
}

/** n8n writes UTC everywhere, in its SQLite database without saying so. */
const INSTANTS = new InstantReader(null, null);

/**
 * One execution, from the API, a database row or an export: fields may be missing, and ids be numbers. An execution
 * that waits has a `stoppedAt`, which is when it began to wait and no end; one of an older n8n has no `status`; one
 * that still queues counts from when it was made.
 */
export function n8nRun(value: JsonObject, source: string, place: string): HistoryRun {
  const data = objectAt(value, 'workflowData');
  const outcome = outcomeOf(value);
  const isOpen = outcome.state !== 'ended';
  const startedAt = outcome.state === 'queued' ? (value['startedAt'] ?? value['createdAt']) : value['startedAt'];
  const startedAtMs = INSTANTS.read(startedAt);
  const stoppedAtMs = isOpen ? null : INSTANTS.read(value['stoppedAt']);
  const name = textAt(value, 'workflowName') ?? (data === null ? null : textAt(data, 'name'));
  const mode = value['mode'];
  return {
    workflow: textAt(value, 'workflowId') ?? (data === null ? null : textAt(data, 'id')) ?? name ?? source,
    workflowName: name === null ? null : redact(name),
    runId: textAt(value, 'id', 'executionId') ?? place,
    startedAtMs: readable(startedAtMs),
    endedAtMs: readable(stoppedAtMs),
    ...outcome,
    cause: (typeof mode === 'string' ? CAUSES[mode] : undefined) ?? 'unknown',
    retryOf: textAt(value, 'retryOf'),
    versionId: textAt(value, 'workflowVersionId') ?? (data === null ? null : textAt(data, 'versionId')),
    slotAtMs: slotOf(value['deduplicationKey']),
    isClockSuspect: Number.isNaN(startedAtMs) || Number.isNaN(stoppedAtMs),
  };
}

function outcomeOf(value: JsonObject): Pick<HistoryRun, 'state' | 'result'> {
  const status = value['status'];
  const said = typeof status === 'string' ? OUTCOMES[status] : undefined;
  if (said !== undefined) return said;
  const isFinished = value['finished'] === true || value['finished'] === 1;
  if (isFinished) return { state: 'ended', result: status === undefined ? 'success' : 'unknown' };
  if (typeof value['waitTill'] === 'string' && value['waitTill'] !== '') return { state: 'waiting', result: 'unknown' };
  if (INSTANTS.read(value['stoppedAt']) === null) return { state: 'running', result: 'unknown' };
  return { state: 'ended', result: status === undefined ? 'failure' : 'unknown' };
}

/** `workflowId:nodeId:2026-11-30T20:00:00.000Z`: the instant that the run was planned for. */
function slotOf(key: unknown): number | null {
  if (typeof key !== 'string') return null;
  const instant = /\d{4}-\d\d-\d\dT[\d:.]+Z$/.exec(key);
  return instant === null ? null : readable(INSTANTS.read(instant[0]));
}

function readable(ms: number | null): number | null {
  return ms === null || Number.isNaN(ms) ? null : ms;
}

/** The workflow as it was when it ran, where the execution brings it. */
export function definitionIn(value: JsonObject): JsonObject | null {
  const data = value['workflowData'];
  return isObject(data) && Array.isArray(data['nodes']) && isObject(data['connections']) ? data : null;
}
