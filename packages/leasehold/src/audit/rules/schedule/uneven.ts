/**
 * "Every n" that isn't: a step that doesn't divide its hour or day starts anew at its end, so that two starts come closer
 * than n; and rules of one schedule that come close to one another, or together.
 */
import { formatDuration } from '../../../domain/duration.ts';
import type { Finding } from '../../model/finding.ts';
import { instantText } from '../../words.ts';
import type { UnevenStep } from '../../schedule/cron-fields.ts';
import type { PlannedRule } from '../../schedule/planned-rule.ts';
import type { PlannedStarts } from '../../schedule/planned-starts.ts';

export function uneven(plan: PlannedStarts): Finding[] {
  return [...plan.rules.flatMap((rule) => rule.unevenSteps.map((step) => stepFinding(rule, step))), ...meetings(plan)];
}

interface Unit {
  readonly cycle: number;
  readonly ms: number;
  readonly noun: string;
  readonly around: string;
}

const UNITS: Readonly<Partial<Record<UnevenStep['field'], Unit>>> = {
  second: { cycle: 60, ms: 1_000, noun: 'seconds', around: 'minute' },
  minute: { cycle: 60, ms: 60_000, noun: 'minutes', around: 'hour' },
  hour: { cycle: 24, ms: 3_600_000, noun: 'hours', around: 'day' },
  day: { cycle: 31, ms: 86_400_000, noun: 'days', around: 'month' },
};

/** A warning where the short gap is less than half of what the step says: then a start may well meet the one before. */
function stepFinding({ rule }: PlannedRule, { field, step }: UnevenStep): Finding {
  const unit = UNITS[field] ?? { cycle: 60, ms: 60_000, noun: 'minutes', around: 'hour' };
  // Of a month the shortest gap is that of the longest one.
  const short = unit.cycle % step === 0 ? step : unit.cycle % step;
  const shortMs = short * unit.ms;
  return {
    rule: 'schedule.uneven',
    severity: short * 2 < step ? 'warning' : 'info',
    message: `"*/${step}" is not every ${step} ${unit.noun}: it begins anew with each ${unit.around}, where two starts are only ${formatDuration(shortMs)} apart.`,
    evidence: [{ ...rule.place, expression: rule.expression, stepMs: step * unit.ms, shortGapMs: shortMs }],
    advice:
      field === 'day'
        ? 'No step divides all months: name the days, or the weekdays.'
        : `Take a step that divides ${unit.cycle}, or reckon with the short gap.`,
  };
}

/** Rules that start together are two runs at once, by plan. */
function meetings({ schedule, rules, meetings: count, firstMeeting, window }: PlannedStarts): Finding[] {
  if (firstMeeting === null) return [];
  const meeting = firstMeeting.rules.flatMap((index) => rules.filter((rule) => rule.index === index));
  const nodes = new Set(meeting.map(({ rule }) => rule.place['node']));
  // A poll starts a run only where it finds something, and each looks for something else.
  if (schedule.kind === 'poll' || (schedule.kind === 'mixed' && nodes.size > 1)) return [];
  // n8n picks a second for each node.
  const when = schedule.host === 'n8n' && nodes.size > 1 ? 'within the same minute' : 'at the same instant';
  const days = Math.round((window.toMs - window.fromMs) / 86_400_000);
  const at = instantText(firstMeeting.atMs);
  return [
    {
      rule: 'trigger.duplicate',
      severity: 'warning',
      message: `${meeting.length} rules start ${when} ${count === 1 ? 'once' : `${count} times`} in ${days} days, first at ${at}: each starts a run of its own.`,
      evidence: [{ at, count, rules: meeting.map(({ rule }) => rule.expression) }],
      advice: 'Move one of them to a minute of its own, or put them into one rule.',
    },
  ];
}
