import type { Finding } from '../../model/finding.ts';
import { BACKWARDS } from '../../schedule/cron-fields.ts';
import { NO_SUCH_DAY, type PlannedRule } from '../../schedule/planned-rule.ts';
import type { PlannedStarts } from '../../schedule/planned-starts.ts';

/** A rule that no date fits, or that its host refuses. Sure: it follows from the words alone. */
export function neverFires(plan: PlannedStarts): Finding[] {
  return plan.rules.flatMap((rule) => (rule.never === null ? [] : [findingOf(rule, plan)]));
}

function findingOf({ rule, never }: PlannedRule, { schedule, rules }: PlannedStarts): Finding {
  const others = rules.length > 1 ? ' The other rules of this schedule are not touched by it.' : '';
  const isTaken = never === NO_SUCH_DAY || never?.endsWith(BACKWARDS) === true;
  // Debian's cron 3.0pl1-162 says so in its log: "Syntax error, this crontab file will be ignored".
  const whole =
    schedule.host === 'cron' && !isTaken
      ? " Debian's cron ignores the whole file as long as such a line stands in it, and crontab(1) refuses to install it."
      : others;
  return {
    rule: 'schedule.never-fires',
    severity: 'critical',
    message: `The rule "${rule.expression}" never starts anything: ${never ?? ''}.${whole}`,
    evidence: [{ ...rule.place, expression: rule.expression, why: never }],
    advice: 'Write a rule that has a date, or take it away; look whether somebody waits for what it should have done.',
  };
}
