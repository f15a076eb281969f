import type { RuleContext } from '../rule.ts';

/** True where a start that finds nothing leaves no run: empty slots say nothing then. */
export function isPoll({ subject: { definition } }: RuleContext): boolean {
  const schedule = definition?.schedule;
  if (schedule === undefined || schedule === null) return false;
  return schedule.host === 'zapier' || /poll|mixed/.test(schedule.kind);
}
