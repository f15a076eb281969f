/** Starts whose gaps differ, that are several, or that a zone or the instance decides. */
import { DAY, HOUR, MINUTE, n8n, type Sample, SECOND } from './corpus.ts';
import { END, even, old, rule, started } from './starts.ts';

const DAILY_AT_9 = rule({ triggerAtHour: 9 });

export const CLOCKS: readonly Sample[] = [
  started('seconds-7-restart-each-minute', rule({ field: 'seconds', secondsInterval: 7 }), {
    schedule: { gaps: [4 * SECOND, 7 * SECOND] },
    finds: ['schedule.uneven'],
  }),
  started('seconds-45-restart-each-minute', rule({ field: 'seconds', secondsInterval: 45 }), {
    schedule: { gaps: [15 * SECOND, 45 * SECOND] },
    finds: ['schedule.uneven'],
  }),
  started('cron-7-minutes-restarts-each-hour', rule({ field: 'cronExpression', expression: '*/7 * * * *' }), {
    schedule: { gaps: [4 * MINUTE, 7 * MINUTE] },
    finds: ['schedule.uneven'],
  }),
  started('two-days-of-the-week', rule({ field: 'weeks', triggerAtDay: [1, 3], triggerAtHour: 7 }), {
    schedule: { gaps: [2 * DAY, 5 * DAY] },
    finds: [],
    may: ['schedule.uneven'],
  }),
  started('working-days', rule({ field: 'cronExpression', expression: '0 9 * * 1-5' }), {
    schedule: { gaps: [DAY, 3 * DAY] },
    finds: [],
    may: ['schedule.uneven'],
  }),
  started('months-by-default', rule({ field: 'months' }), {
    schedule: { gaps: [28 * DAY, 31 * DAY] },
    finds: [],
    may: ['schedule.uneven'],
  }),
  // A month without the 31st is skipped: from Mar 31 to May 31 are 61 days.
  started('months-on-the-31st', rule({ field: 'months', triggerAtDayOfMonth: 31 }), {
    schedule: { gaps: [31 * DAY, 61 * DAY] },
    finds: [],
    may: ['schedule.uneven'],
  }),
  started('old-cron-every-month', old({ mode: 'everyMonth', dayOfMonth: 15 }), {
    schedule: { gaps: [28 * DAY, 31 * DAY] },
    finds: [],
    may: ['schedule.uneven'],
  }),
  started('an-expression-for-hours', rule({ field: 'hours', hoursInterval: '={{ $vars.n }}' }), {
    schedule: { gaps: null },
    finds: [],
  }),
  started('an-expression-for-cron', rule({ field: 'cronExpression', expression: '={{ $json.cron }}' }), {
    schedule: { gaps: null },
    finds: [],
  }),
  started('two-rules-a-quarter-apart', rule({ field: 'hours' }, { field: 'hours', triggerAtMinute: 15 }), {
    schedule: { gaps: [15 * MINUTE, 45 * MINUTE] },
    finds: [],
    may: ['schedule.uneven'],
  }),
  started(
    'a-trigger-that-is-switched-off',
    { ...DAILY_AT_9, disabled: true },
    { schedule: null, finds: ['schedule.never-fires info'] },
  ),
  n8n(
    'two-triggers-half-an-hour-apart',
    {
      nodes: { Start: rule({ field: 'hours' }), Other: rule({ field: 'hours', triggerAtMinute: 30 }), End: END },
      flow: 'Start > End; Other > End',
    },
    { schedule: { gaps: [30 * MINUTE, 30 * MINUTE] }, finds: [] },
  ),
  n8n(
    'one-of-two-triggers-switched-off',
    {
      nodes: { Start: DAILY_AT_9, Other: { ...rule({ field: 'minutes' }), disabled: true }, End: END },
      flow: 'Start > End; Other > End',
    },
    { schedule: even(DAY), finds: [] },
  ),
  n8n(
    'a-clock-a-webhook-and-a-hand',
    {
      nodes: { Start: rule({ field: 'hours' }), Hook: { type: 'webhook' }, Hand: { type: 'manualTrigger' }, End: END },
      flow: 'Start > End; Hook > End; Hand > End',
    },
    { schedule: even(HOUR), finds: [] },
  ),
  n8n(
    'a-note-that-speaks-of-a-schedule',
    {
      nodes: { Start: { type: 'webhook' }, Note: { type: 'stickyNote', parameters: { content: 'every 5 minutes' } } },
      flow: '',
    },
    { schedule: null, finds: [] },
  ),
  started(
    'a-new-york-night',
    rule({ triggerAtHour: 2, triggerAtMinute: 30 }),
    {
      schedule: { timezone: 'America/New_York' },
      finds: ['schedule.dst'],
    },
    { settings: { timezone: 'America/New_York' } },
  ),
  // 2:30 is no time that Tokyo ever leaves out.
  started(
    'a-tokyo-night',
    rule({ triggerAtHour: 2, triggerAtMinute: 30 }),
    {
      schedule: { timezone: 'Asia/Tokyo', gaps: [DAY, DAY] },
      finds: [],
    },
    { settings: { timezone: 'Asia/Tokyo' } },
  ),
  started(
    'a-berlin-noon',
    rule({ triggerAtHour: 12 }),
    {
      schedule: { timezone: 'Europe/Berlin', gaps: [23 * HOUR, 25 * HOUR] },
      finds: [],
      may: ['schedule.uneven'],
    },
    { settings: { timezone: 'Europe/Berlin' } },
  ),
  started(
    'a-zone-that-the-instance-knows',
    DAILY_AT_9,
    { schedule: { timezone: null }, finds: [] },
    {
      settings: { timezone: 'DEFAULT' },
    },
  ),
  started('no-settings-at-all', DAILY_AT_9, { schedule: { timezone: null }, finds: [] }, { settings: {} }),
  {
    ...started(
      'a-zone-that-is-given',
      DAILY_AT_9,
      { schedule: { gaps: [23 * HOUR, 25 * HOUR] }, finds: [], may: ['schedule.uneven'] },
      { settings: {} },
    ),
    timezone: 'Europe/Paris',
  },
  started(
    'named-daily-and-started-by-hand',
    { type: 'manualTrigger' },
    {
      schedule: null,
      finds: ['schedule.never-fires info'],
    },
    { name: 'Daily digest' },
  ),
  started('not-active', DAILY_AT_9, { schedule: even(DAY), finds: [] }, { active: false }),
];
