import type { HistoryRun } from '../../model/run.ts';
import { redact } from '../../redact.ts';
import { isObject, type JsonObject, textAt } from '../json/json-value.ts';
import type { InstantReader } from '../table/instants.ts';
import { n8nRun } from '../live/n8n-run.ts';
import { isByEvent } from './started-by.ts';

/** Fields of an execution that no other export of runs has, or that few have together with an instant. */
const MARKS = ['workflowId', 'workflowData', 'finished', 'waitTill', 'retrySuccessId'] as const;

/** True for an execution of n8n, in the shape of its API, its database or its export. */
export function isN8nExecution(value: JsonObject): boolean {
  if (!('startedAt' in value || 'stoppedAt' in value || 'createdAt' in value)) return false;
  if (!MARKS.some((key) => key in value)) return false;
  // Others have a workflowId and a startedAt, too; none calls the end so.
  return 'stoppedAt' in value || 'finished' in value || 'workflowData' in value;
}

/**
 * One execution as exports have it: fields may be missing, ids be numbers, and what the row itself lacks stand in the
 * copy of the workflow that it brings. `place` is its id where it has none; `instants` reads what n8n itself would not write.
 */
export function exportedRun(value: JsonObject, source: string, place: string, instants: InstantReader): HistoryRun {
  const data = dataIn(value);
  const at = (key: string): unknown => isoOf(value[key], instants);
  const name = textAt(value, 'workflowName') ?? (data === null ? null : textAt(data, 'name'));
  const workflowId = textAt(value, 'workflowId') ?? (data === null ? null : textAt(data, 'id'));
  const workflowName = name === null ? null : redact(name);
  const run = n8nRun({
    id: textAt(value, 'id', 'executionId') ?? place,
    workflowId: workflowId ?? workflowName ?? source,
    workflowName,
    status: value['status'],
    mode: value['mode'],
    finished: value['finished'],
    startedAt: at('startedAt'),
    stoppedAt: at('stoppedAt'),
    createdAt: at('createdAt'),
    waitTill: at('waitTill'),
    retryOf: value['retryOf'],
    workflowVersionId: value['workflowVersionId'] ?? data?.['versionId'],
    deduplicationKey: value['deduplicationKey'],
  });
  return run.cause === 'trigger' && isByEvent(value) ? { ...run, cause: 'webhook' } : run;
}

/** An object; a query of the database by hand gives its text. */
function dataIn(value: JsonObject): JsonObject | null {
  const data = value['workflowData'];
  if (typeof data !== 'string') return isObject(data) ? data : null;
  try {
    const read: unknown = JSON.parse(data);
    return isObject(read) ? read : null;
  } catch {
    return null;
  }
}

/** What is no instant stays as it is, and is told as such. */
function isoOf(value: unknown, instants: InstantReader): unknown {
  const ms = instants.read(value);
  return ms === null || Number.isNaN(ms) ? value : new Date(ms).toISOString();
}

/** The workflow as it was when it ran, where the execution brings it. */
export function definitionIn(value: JsonObject): JsonObject | null {
  const data = dataIn(value);
  return data !== null && Array.isArray(data['nodes']) && isObject(data['connections']) ? data : null;
}
