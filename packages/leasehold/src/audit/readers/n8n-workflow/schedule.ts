import type { FoundSchedule, ScheduleRule } from '../../model/schedule.ts';
import { plainType } from '../../n8n-nodes/classify.ts';
import { names } from '../../n8n-nodes/names.ts';
import { fieldsOf, isFields, type N8nDefinition, type N8nNode, textOf } from './definition.ts';
import { pollRule, timerRule } from './poll-rule.ts';
import { faulty, intervalRule } from './schedule-rule.ts';

/** Rules of one workflow that are looked at; more of them would be a mistake of whatever wrote the file. */
const RULES_MAX = 200;

const ASSUMES_SECOND =
  'n8n picks the second within the minute itself, and the file does not say which; it is taken as 0, which changes no gap.';
const ASSUMES_ZONE = 'no time zone in the file: n8n takes its own GENERIC_TIMEZONE.';
const ASSUMES_FILTER =
  'n8n counts every nth unit from the last run, which the file does not tell: gaps are exact, instants are not.';
const ASSUMES_ANEW =
  'older versions of n8n count minutes anew in each hour, and hours anew in each day, so that the last gap before that is shorter.';
const ASSUMES_EXPRESSION =
  'an expression stands where a number or a cron is expected: when it fires is only known to n8n.';
const ASSUMES_TIMER = 'a plain interval counts from the moment that the workflow was switched on.';

/** Triggers that ask a service at times of their own, without `pollTimes` every minute. */
const POLLING: ReadonlySet<string> = names(
  'airtableTrigger,clockifyTrigger,databricksTrigger,googleCalendarTrigger,googleDriveTrigger',
  'gmailTrigger,googleBusinessProfileTrigger,googleSheetsTrigger,microsoftOneDriveTrigger',
  'microsoftOutlookTrigger,notionTrigger,rssFeedReadTrigger,salesforceTrigger,seaTableTrigger',
  'togglTrigger',
);

export function isPolling(node: N8nNode): boolean {
  return POLLING.has(plainType(node)) || isFields(node.parameters['pollTimes']);
}

/** What starts the workflow by itself; null where nothing does. */
export function scheduleOf({ nodes, settings }: N8nDefinition): FoundSchedule | null {
  const timed = nodes.filter((node) => !node.isDisabled && kindOf(node) !== null);
  if (timed.length === 0) return null;
  const rules = timed.flatMap(rulesOf).slice(0, RULES_MAX);
  const kinds = new Set(timed.map(kindOf));
  const timezone = zoneOf(settings['timezone']);
  const assumes = [
    ...(rules.some(({ plan }) => plan?.kind === 'cron' && plan.expression.split(/\s+/).length === 5)
      ? [ASSUMES_SECOND]
      : []),
    ...(rules.some(({ plan }) => plan?.kind === 'filtered-cron') ? [ASSUMES_FILTER] : []),
    ...(rules.some(({ plan }) => plan?.kind === 'filtered-cron' && /^(?:minute|hour)$/.test(plan.unit))
      ? [ASSUMES_ANEW]
      : []),
    ...(rules.some(({ plan }) => plan?.kind === 'interval') ? [ASSUMES_TIMER] : []),
    ...(rules.some(({ plan, fault }) => plan === null && fault === null) ? [ASSUMES_EXPRESSION] : []),
    ...(timezone === null ? [ASSUMES_ZONE] : []),
  ];
  return { host: 'n8n', kind: kinds.size === 1 ? (kindOf(timed[0]) ?? 'mixed') : 'mixed', rules, timezone, assumes };
}

function kindOf(node: N8nNode | undefined): 'schedule' | 'cron' | 'interval' | 'poll' | null {
  if (node === undefined) return null;
  const type = plainType(node);
  if (type === 'scheduleTrigger') return 'schedule';
  if (type === 'cron' || type === 'interval') return type;
  return isPolling(node) ? 'poll' : null;
}

function rulesOf(node: N8nNode): readonly ScheduleRule[] {
  const place = { node: node.name };
  switch (kindOf(node)) {
    case 'schedule':
      return intervalRules(node);
    case 'interval':
      return [timerRule(node.parameters, place)];
    case 'cron':
      return itemsOf(node.parameters['triggerTimes'], [], place);
    case 'poll':
      return itemsOf(node.parameters['pollTimes'], [{ mode: 'everyMinute' }], place);
    case null:
      return [];
  }
}

function intervalRules(node: N8nNode): readonly ScheduleRule[] {
  const place = { node: node.name };
  const { rule } = node.parameters;
  if (rule === undefined) return [intervalRule({}, node.version, place)];
  if (!isFields(rule)) return [faulty(wordOf(rule), '"rule" is not an object with a list "interval"', place)];
  const items = rule['interval'];
  if (items === undefined && Object.keys(rule).length === 0) return [intervalRule({}, node.version, place)];
  if (!Array.isArray(items)) return [faulty(wordOf(items), '"rule.interval" is not a list', place)];
  if (items.length === 0) return [faulty('(no rule)', 'the list of rules is empty', place)];
  return items.map((item) => intervalRule(item, node.version, place));
}

function itemsOf(value: unknown, usual: readonly unknown[], place: ScheduleRule['place']): readonly ScheduleRule[] {
  const items = fieldsOf(value)['item'] ?? usual;
  if (!Array.isArray(items)) return [faulty(wordOf(items), 'the times are not a list', place)];
  if (items.length === 0) return [faulty('(no rule)', 'the list of times is empty', place)];
  return items.map((item) => pollRule(item, place));
}

/** n8n's word for its own zone is no zone. */
function zoneOf(value: unknown): string | null {
  const zone = textOf(value);
  return zone === null || zone === 'DEFAULT' || zone.startsWith('=') ? null : zone;
}

/** What stands there instead of a rule, as it stands. */
const WORD_MAX = 60;

function wordOf(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.length > WORD_MAX ? `${text.slice(0, WORD_MAX)}…` : text;
}
