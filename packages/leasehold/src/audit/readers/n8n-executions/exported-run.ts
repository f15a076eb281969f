import type { HistoryRun } from '../../model/run.ts';
import { redact } from '../../redact.ts';
import { isObject, type JsonObject, objectAt, textAt } from '../json/json-value.ts';
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
 * copy of the workflow that it brings. `place` is its id where it has none.
 */
export function exportedRun(value: JsonObject, source: string, place: string): HistoryRun {
  const data = objectAt(value, 'workflowData');
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
    startedAt: value['startedAt'],
    stoppedAt: value['stoppedAt'],
    createdAt: value['createdAt'],
    waitTill: value['waitTill'],
    retryOf: value['retryOf'],
    workflowVersionId: value['workflowVersionId'] ?? data?.['versionId'],
    deduplicationKey: value['deduplicationKey'],
  });
  return run.cause === 'trigger' && isByEvent(value) ? { ...run, cause: 'webhook' } : run;
}

/** The workflow as it was when it ran, where the execution brings it. */
export function definitionIn(value: JsonObject): JsonObject | null {
  const data = value['workflowData'];
  return isObject(data) && Array.isArray(data['nodes']) && isObject(data['connections']) ? data : null;
}
