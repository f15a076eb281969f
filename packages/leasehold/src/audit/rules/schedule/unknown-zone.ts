import type { Finding } from '../../model/finding.ts';
import { redact } from '../../redact.ts';
import type { PlannedStarts } from '../../schedule/planned-starts.ts';

/** Names of no place that Luxon, by which n8n plans, takes all the same. */
const TAKEN_BY_N8N = /^(?:utc|gmt)(?:[+-]\d{1,2}(?::\d{2})?)?$|^(?:system|local|default)$/i;

/**
 * A time zone that does not exist, each host by its own habit: the cron package of n8n 2.41 throws "Invalid timezone."
 * when the workflow is switched on, and the C library, by which cron reckons CRON_TZ, takes UTC without a word.
 */
export function unknownZone({ schedule, isZoneKnown, rules }: PlannedStarts): Finding[] {
  const { host } = schedule;
  if (schedule.timezone === null || isZoneKnown) return [];
  const timezone = redact(schedule.timezone.slice(0, ZONE_MAX));
  const timed = rules.filter(({ rule: { plan } }) => plan !== null && plan.kind !== 'interval');
  const evidence = timed.slice(0, EVIDENCE_MAX).map(({ rule: { expression, place } }) => ({
    ...place,
    expression,
    timezone,
  }));
  const advice = 'Write a name of the IANA database, for example Europe/Berlin.';
  if (timed.length === 0) return [];
  if (host === 'n8n' && !TAKEN_BY_N8N.test(timezone))
    return [
      {
        rule: 'schedule.never-fires',
        severity: 'critical',
        message: `"${timezone}" is no time zone, and n8n refuses a schedule in it when the workflow is switched on: nothing starts.`,
        evidence,
        advice,
      },
    ];
  if (host === 'cron')
    return [
      {
        rule: 'schedule.dst',
        severity: 'warning',
        message: `"${timezone}" is no time zone, and cron takes UTC for it without a word: starts are hours away from where they were meant to be.`,
        evidence,
        advice,
      },
    ];
  return [];
}

const EVIDENCE_MAX = 20;
/** Whatever somebody wrote there. */
const ZONE_MAX = 60;
