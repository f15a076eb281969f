import { formatDuration } from '../../../domain/duration.ts';
import { nominalGapMs } from '../../graph/gap.ts';
import { effectsAfter } from '../../graph/paths.ts';
import { ignoredSettings, timeoutMs } from '../../readers/n8n-workflow/settings.ts';
import type { Finding } from '../../model/finding.ts';
import { quoted } from '../../quoted.ts';
import { findingOf, type StaticInput } from './input.ts';
import { GUARD } from './steps.ts';

/** Settings that are taken for a lock. */
export function switches(input: StaticInput): readonly Finding[] {
  return [...timeoutAsLock(input), ...ignored(input)];
}

function timeoutAsLock({ flow, calls, schedule }: StaticInput): readonly Finding[] {
  const timeout = timeoutMs(flow.definition.settings);
  const gap = nominalGapMs(schedule);
  if (timeout === null || gap === null || timeout > gap) return [];
  const acts = flow.triggers.some((at) => effectsAfter(flow, at, calls).length > 0);
  if (!acts) return [];
  return [
    findingOf({
      rule: 'platform.switch-is-no-lock',
      severity: 'warning',
      message: `executionTimeout (${formatDuration(timeout)}) is no longer than the interval (${formatDuration(gap)}), as if it kept runs apart: n8n stops a run at the next node only, the node that is working goes on beside the next run, and what is half done stays half done.`,
      evidence: [{ setting: 'executionTimeout', timeoutMs: timeout, gapMs: gap }],
      advice: `Put ${GUARD} after the trigger and give executionTimeout room: at least twice the slowest run.`,
    }),
  ];
}

function ignored({ flow }: StaticInput): readonly Finding[] {
  const { concurrency, others } = ignoredSettings(flow.definition.settings);
  return [
    ...(concurrency.length === 0
      ? []
      : [
          findingOf({
            rule: 'platform.switch-is-no-lock',
            severity: 'warning',
            message: `n8n has no workflow setting ${quoted(concurrency, NAMED_MAX)} and ignores it: nothing limits how many runs of this workflow go side by side.`,
            evidence: concurrency.slice(0, SETTINGS_MAX).map((setting) => ({ setting })),
            advice: `Take the setting out, and put ${GUARD} after the trigger.`,
          }),
        ]),
    ...(others.length === 0
      ? []
      : [
          findingOf({
            rule: 'platform.switch-is-no-lock',
            severity: 'info',
            message: `n8n has no workflow setting ${quoted(others, NAMED_MAX)} and ignores it.`,
            evidence: others.slice(0, SETTINGS_MAX).map((setting) => ({ setting })),
            advice: 'Set what was meant at the nodes that n8n has it for, and take the setting out of the file.',
          }),
        ]),
  ];
}

const SETTINGS_MAX = 20;
const NAMED_MAX = 6;
