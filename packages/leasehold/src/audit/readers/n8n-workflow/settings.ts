import { formatDuration } from '../../../domain/duration.ts';
import { names } from '../../n8n-nodes/names.ts';
import { type Fields, numberOf } from './definition.ts';

/** The settings of a workflow that n8n 2.41 has; it ignores every other. */
const KNOWN: ReadonlySet<string> = names(
  'timezone,errorWorkflow,callerIds,callerPolicy,saveDataErrorExecution,saveDataSuccessExecution',
  'saveManualExecutions,saveExecutionProgress,executionTimeout,executionOrder,engineType,binaryMode',
  'timeSavedPerExecution,timeSavedMode,availableInMCP,redactionPolicy,credentialResolverId',
  'customTelemetryTags',
);
/** Names in which people look for what n8n doesn't have. */
const CONCURRENCY = /concurren|parallel|overlap|queue|maxexecutions|singleton|mutex|lock/i;

export interface IgnoredSettings {
  /** Those that look like a limit of runs side by side. */
  readonly concurrency: readonly string[];
  readonly others: readonly string[];
}

export function ignoredSettings(settings: Fields): IgnoredSettings {
  const ignored = Object.keys(settings).filter((name) => !KNOWN.has(name));
  return {
    concurrency: ignored.filter((name) => CONCURRENCY.test(name)),
    others: ignored.filter((name) => !CONCURRENCY.test(name)),
  };
}

/** Why runs of this workflow are missing in its history, as its own settings have it. */
export function historyLimits(settings: Fields): readonly string[] {
  return [
    ...(settings['saveDataSuccessExecution'] === 'none'
      ? [
          'n8n deletes the runs of this workflow that succeed (saveDataSuccessExecution: none): only the others are in its history.',
        ]
      : []),
    ...(settings['saveDataErrorExecution'] === 'none'
      ? [
          'n8n deletes the runs of this workflow that fail (saveDataErrorExecution: none): they are missing in its history.',
        ]
      : []),
  ];
}

/** Why its runs may be shorter than their work; null where n8n stops none. */
export function timeoutLimit(settings: Fields): string | null {
  const timeout = timeoutMs(settings);
  return timeout === null
    ? null
    : `n8n stops a run of this workflow after ${formatDuration(timeout)} (executionTimeout): none in its history is longer, however long its work would have been.`;
}

/** After how long n8n stops a run, in ms; null where the workflow doesn't say. */
export function timeoutMs(settings: Fields): number | null {
  const seconds = numberOf(settings['executionTimeout']);
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1_000 : null;
}
