/** What starts a workflow of n8n: every shape of a Schedule Trigger, older and polling triggers, and those without a clock. */
import type { Drawn } from '../n8n/build.ts';
import { DAY, HOUR, MINUTE, type Sample, SECOND } from './corpus.ts';
import { even, old, rule, started } from './starts.ts';

/** Gaps that are all alike, and nothing to find. */
const EVEN: readonly (readonly [name: string, trigger: Drawn, gapMs: number])[] = [
  ['without-parameters', { type: 'scheduleTrigger', typeVersion: 1 }, DAY],
  ['empty-rule', { type: 'scheduleTrigger', typeVersion: 1.1, parameters: { rule: {} } }, DAY],
  ['empty-item', rule({}), DAY],
  ['hour-alone', rule({ triggerAtHour: 9 }), DAY],
  ['hour-as-text', rule({ triggerAtHour: '9' }), DAY],
  ['seconds-by-default', rule({ field: 'seconds' }), 30 * SECOND],
  ['seconds-10', rule({ field: 'seconds', secondsInterval: 10 }), 10 * SECOND],
  ['minutes-by-default', rule({ field: 'minutes' }), 5 * MINUTE],
  ['minutes-15', rule({ field: 'minutes', minutesInterval: 15 }), 15 * MINUTE],
  ['minutes-7-are-filtered', rule({ field: 'minutes', minutesInterval: 7 }), 7 * MINUTE],
  ['minutes-90-are-filtered', rule({ field: 'minutes', minutesInterval: 90 }), 90 * MINUTE],
  ['minutes-60', rule({ field: 'minutes', minutesInterval: 60 }), HOUR],
  ['hours-by-default', rule({ field: 'hours' }), HOUR],
  ['hours-6-at-15', rule({ field: 'hours', hoursInterval: 6, triggerAtMinute: 15 }), 6 * HOUR],
  ['hours-5-are-filtered', rule({ field: 'hours', hoursInterval: 5 }), 5 * HOUR],
  ['hours-23', rule({ field: 'hours', hoursInterval: 23 }), 23 * HOUR],
  ['days-by-default', rule({ field: 'days' }), DAY],
  ['days-3', rule({ field: 'days', daysInterval: 3, triggerAtHour: 8 }), 3 * DAY],
  ['weeks-by-default', rule({ field: 'weeks' }), 7 * DAY],
  ['weeks-without-a-day', rule({ field: 'weeks', triggerAtDay: [] }), DAY],
  ['weeks-2', rule({ field: 'weeks', weeksInterval: 2, triggerAtDay: [5] }), 14 * DAY],
  ['cron-of-five', rule({ field: 'cronExpression', expression: '15 * * * *' }), HOUR],
  ['cron-of-six', rule({ field: 'cronExpression', expression: '*/10 * * * * *' }), 10 * SECOND],
  ['cron-with-blanks', rule({ field: 'cronExpression', expression: '  0   9 * * * ' }), DAY],
  ['cron-of-names', rule({ field: 'cronExpression', expression: '0 9 * * mon' }), 7 * DAY],
  ['version-1.3', { ...rule({ field: 'hours', hoursInterval: 2 }), typeVersion: 1.3 }, 2 * HOUR],
  [
    'version-1.4-with-a-misfire-policy',
    { ...rule({ field: 'minutes', misfirePolicy: 'skip' }), typeVersion: 1.4 },
    5 * MINUTE,
  ],
  ['old-cron-every-minute', old({ mode: 'everyMinute' }), MINUTE],
  ['old-cron-every-hour', old({ mode: 'everyHour', minute: 5 }), HOUR],
  ['old-cron-every-day', old({ mode: 'everyDay', hour: 2 }), DAY],
  ['old-cron-without-a-mode', old({}), DAY],
  ['old-cron-every-week', old({ mode: 'everyWeek', weekday: '5' }), 7 * DAY],
  ['old-cron-every-10-minutes', old({ mode: 'everyX', unit: 'minutes', value: 10 }), 10 * MINUTE],
  ['old-cron-every-x-by-default', old({ mode: 'everyX' }), 2 * HOUR],
  ['old-cron-custom', old({ mode: 'custom', cronExpression: '0 30 6 * * *' }), DAY],
  ['old-interval-by-default', { type: 'interval' }, SECOND],
  ['old-interval-of-two-hours', { type: 'interval', parameters: { interval: 2, unit: 'hours' } }, 2 * HOUR],
  ['old-interval-of-ten-minutes', { type: 'interval', parameters: { interval: 10, unit: 'minutes' } }, 10 * MINUTE],
];

/** Polls bring records, so their gap is that of the asking. */
const POLLS: readonly (readonly [name: string, trigger: Drawn, gapMs: number])[] = [
  ['poll-of-gmail-by-default', { type: 'gmailTrigger', typeVersion: 1.2 }, MINUTE],
  ['poll-of-sheets-by-default', { type: 'googleSheetsTrigger', parameters: {} }, MINUTE],
  [
    'poll-of-airtable-each-ten-minutes',
    poll('airtableTrigger', { mode: 'everyX', unit: 'minutes', value: 10 }),
    10 * MINUTE,
  ],
  ['poll-of-notion-each-hour', poll('notionTrigger', { mode: 'everyHour' }), HOUR],
  ['poll-of-feeds-each-day', poll('rssFeedReadTrigger', { mode: 'everyDay', hour: 6 }), DAY],
  [
    'poll-of-drive-by-cron',
    poll('googleDriveTrigger', { mode: 'custom', cronExpression: '*/20 * * * *' }),
    20 * MINUTE,
  ],
];

function poll(type: string, item: object): Drawn {
  return { type, parameters: { pollTimes: { item: [item] } } };
}

/** Somebody else starts them. */
const CLOCKLESS: readonly (readonly [name: string, type: string])[] = [
  ['a-webhook', 'webhook'],
  ['a-form', 'formTrigger'],
  ['a-chat', '@n8n/n8n-nodes-langchain.chatTrigger'],
  ['by-another-workflow', 'executeWorkflowTrigger'],
  ['by-an-error', 'errorTrigger'],
  ['by-hubspot', 'hubspotTrigger'],
  ['by-telegram', 'telegramTrigger'],
  ['by-stripe', 'stripeTrigger'],
  ['by-mail', 'emailReadImap'],
];

/** Rules that n8n can't run, or that name a day that no year has. */
const DEAD: readonly (readonly [name: string, trigger: Drawn])[] = [
  ['a-rule-in-words', { type: 'scheduleTrigger', parameters: { rule: 'every day at 9' } }],
  [
    'an-interval-as-object',
    { type: 'scheduleTrigger', parameters: { rule: { interval: { field: 'days', triggerAtTime: '09:00' } } } },
  ],
  ['an-interval-in-words', { type: 'scheduleTrigger', parameters: { rule: { interval: 'daily' } } }],
  ['the-thirtieth-of-february', rule({ field: 'cronExpression', expression: '0 0 30 2 *' })],
  ['minute-sixty', rule({ field: 'cronExpression', expression: '60 * * * *' })],
  ['a-cron-of-three', rule({ field: 'cronExpression', expression: '0 9 *' })],
  ['a-cron-in-words', rule({ field: 'cronExpression', expression: 'every 5 minutes' })],
  // n8n counts hours within one day: after its first start the rule waits for a difference that it never sees.
  ['hours-24', rule({ field: 'hours', hoursInterval: 24 })],
  ['hours-48', rule({ field: 'hours', hoursInterval: 48 })],
  ['minutes-90-where-n8n-checks', { ...rule({ field: 'minutes', minutesInterval: 90 }), typeVersion: 1.3 }],
  ['an-empty-cron', rule({ field: 'cronExpression', expression: '' })],
];

export const TRIGGERS: readonly Sample[] = [
  ...EVEN.map(([name, trigger, gapMs]) => started(name, trigger, { schedule: even(gapMs), finds: [] })),
  ...POLLS.map(([name, trigger, gapMs]) =>
    started(name, trigger, { schedule: { kind: 'poll', gaps: [gapMs, gapMs] }, finds: [] }),
  ),
  ...CLOCKLESS.map(([name, type]) => started(name, { type }, { schedule: null, finds: [] })),
  started('by-hand', { type: 'manualTrigger' }, { schedule: null, finds: ['schedule.never-fires info'] }),
  ...DEAD.map(([name, trigger]) =>
    started(name, trigger, { finds: ['schedule.never-fires critical'], schedule: { gaps: null } }),
  ),
];
