/** Schedules of n8n, and the crons that it makes of them. Pure. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { RulePlan } from '../../../src/audit/model/schedule.ts';
import { auditOf, type Drawn } from './build.ts';

function scheduleOf(
  nodes: Readonly<Record<string, Drawn>>,
  settings: unknown = {},
): ReturnType<typeof auditOf>['schedule'] {
  return auditOf({ nodes, flow: '', settings }).schedule;
}

const ruled = (...interval: unknown[]): Drawn => ({
  type: 'scheduleTrigger',
  typeVersion: 1.2,
  parameters: { rule: { interval } },
});
const plansOf = (...nodes: readonly Drawn[]): (RulePlan | null)[] =>
  scheduleOf(Object.fromEntries(nodes.map((node, at) => [`T${at}`, node])))?.rules.map(({ plan }) => plan) ?? [];
const cron = (expression: string): RulePlan => ({ kind: 'cron', expression });
const filtered = (
  expression: string,
  every: number,
  unit: Extract<RulePlan, { kind: 'filtered-cron' }>['unit'],
): RulePlan => ({
  kind: 'filtered-cron',
  expression,
  every,
  unit,
});

const ITEMS: readonly (readonly [item: unknown, plan: RulePlan])[] = [
  [{}, cron('0 0 * * *')],
  [{ triggerAtHour: 9 }, cron('0 9 * * *')],
  [{ field: 'seconds' }, cron('*/30 * * * * *')],
  [{ field: 'seconds', secondsInterval: 7 }, cron('*/7 * * * * *')],
  [{ field: 'minutes' }, cron('*/5 * * * *')],
  [{ field: 'minutes', minutesInterval: 7 }, filtered('* * * * *', 7, 'minute')],
  [{ field: 'minutes', minutesInterval: 90 }, filtered('* * * * *', 90, 'minute')],
  [{ field: 'hours' }, cron('0 */1 * * *')],
  [{ field: 'hours', hoursInterval: 6, triggerAtMinute: 15 }, cron('15 */6 * * *')],
  [{ field: 'hours', hoursInterval: 5 }, filtered('0 * * * *', 5, 'hour')],
  [{ field: 'days', daysInterval: 3, triggerAtHour: '8' }, filtered('0 8 * * *', 3, 'day')],
  [{ field: 'weeks' }, cron('0 0 * * 0')],
  [{ field: 'weeks', triggerAtDay: [1, 3], triggerAtHour: 7 }, cron('0 7 * * 1,3')],
  [{ field: 'weeks', triggerAtDay: [] }, cron('0 0 * * *')],
  [{ field: 'weeks', weeksInterval: 2 }, filtered('0 0 * * 0', 2, 'week')],
  [{ field: 'months', triggerAtDayOfMonth: 31 }, cron('0 0 31 */1 *')],
  [{ field: 'months', monthsInterval: 5 }, filtered('0 0 1 * *', 5, 'month')],
  [{ field: 'cronExpression', expression: ' 0 9 * * 1-5 ' }, cron('0 9 * * 1-5')],
  [{ field: 'cronExpression', expression: '*/10 * * * * *' }, cron('*/10 * * * * *')],
  [{ field: 'fortnights' }, cron('0 0 * * *')],
];

describe('rules of a Schedule Trigger', () => {
  for (const [item, plan] of ITEMS)
    it(`${JSON.stringify(item)} is ${plan.kind === 'interval' ? '' : plan.expression}`, () =>
      assert.deepEqual(plansOf(ruled(item)), [plan]));

  it('without a parameter it is every midnight', () => {
    assert.deepEqual(plansOf({ type: 'scheduleTrigger', typeVersion: 1 }), [cron('0 0 * * *')]);
    assert.deepEqual(plansOf({ type: 'scheduleTrigger', typeVersion: 1, parameters: { rule: {} } }), [
      cron('0 0 * * *'),
    ]);
  });

  it('several rules and several triggers are all there, but not those that are switched off', () => {
    const nodes = [
      ruled({ field: 'hours' }, { triggerAtHour: 9 }),
      ruled({ field: 'minutes' }),
      { ...ruled({}), disabled: true },
    ];
    assert.deepEqual(plansOf(...nodes), [cron('0 */1 * * *'), cron('0 9 * * *'), cron('*/5 * * * *')]);
  });

  it('each rule says which node it is of, and what it is in words', () => {
    const rules = scheduleOf({ Clock: ruled({ field: 'minutes', minutesInterval: 15 }, { field: 'days' }) })?.rules;
    assert.deepEqual(
      rules?.map(({ expression, place }) => [expression, place]),
      [
        ['every 15 minutes', { node: 'Clock' }],
        ['every day', { node: 'Clock' }],
      ],
    );
  });

  it('what only n8n can work out has no plan and no fault', () => {
    for (const item of [
      { field: 'hours', hoursInterval: '={{ $vars.n }}' },
      { field: 'cronExpression', expression: '={{ $json.cron }}' },
    ]) {
      const [rule] = scheduleOf({ Clock: ruled(item) })?.rules ?? [];
      assert.deepEqual([rule?.plan, rule?.fault], [null, null]);
    }
  });

  it('a rule of a shape that n8n does not know is faulty and has no plan', () => {
    for (const rule of [
      'every day at 9',
      { interval: { field: 'days', triggerAtTime: '09:00' } },
      { interval: 'daily' },
    ]) {
      const [found] = scheduleOf({ Clock: { type: 'scheduleTrigger', parameters: { rule } } })?.rules ?? [];
      assert.equal(found?.plan, null);
      assert.notEqual(found.fault, null);
    }
  });
});

const POLLED: readonly (readonly [item: unknown, plan: RulePlan])[] = [
  [{ mode: 'everyMinute' }, cron('* * * * *')],
  [{ mode: 'everyHour', minute: 5 }, cron('5 * * * *')],
  [{ mode: 'everyDay' }, cron('0 14 * * *')],
  [{}, cron('0 14 * * *')],
  [{ mode: 'everyWeek', weekday: '5', hour: 8 }, cron('0 8 * * 5')],
  [{ mode: 'everyMonth', dayOfMonth: 15 }, cron('0 14 15 * *')],
  [{ mode: 'everyX', unit: 'minutes', value: 10 }, cron('*/10 * * * *')],
  [{ mode: 'everyX' }, cron('0 */2 * * *')],
  [{ mode: 'custom', cronExpression: '0 30 6 * * *' }, cron('0 30 6 * * *')],
];

describe('older and polling triggers', () => {
  for (const [item, plan] of POLLED) {
    it(`${JSON.stringify(item)} is ${plan.kind === 'interval' ? '' : plan.expression}`, () => {
      assert.deepEqual(plansOf({ type: 'cron', parameters: { triggerTimes: { item: [item] } } }), [plan]);
      assert.deepEqual(plansOf({ type: 'airtableTrigger', parameters: { pollTimes: { item: [item] } } }), [plan]);
    });
  }

  it('a trigger that polls does so every minute unless it says something else', () => {
    assert.deepEqual(plansOf({ type: 'gmailTrigger' }), [cron('* * * * *')]);
    assert.equal(scheduleOf({ Mail: { type: 'gmailTrigger' } })?.kind, 'poll');
  });

  it('the old interval counts in seconds unless it says something else', () => {
    assert.deepEqual(plansOf({ type: 'interval' }), [{ kind: 'interval', everyMs: 1_000 }]);
    assert.deepEqual(plansOf({ type: 'interval', parameters: { interval: 2, unit: 'hours' } }), [
      { kind: 'interval', everyMs: 7_200_000 },
    ]);
  });

  it('a workflow with a webhook or a manual trigger alone has no schedule', () => {
    for (const type of ['webhook', 'manualTrigger', 'hubspotTrigger', 'executeWorkflowTrigger'])
      assert.equal(scheduleOf({ T: { type } }), null);
  });
});

describe('the zone of a schedule', () => {
  it('is that of the settings; the word for "as the instance has it" is none', () => {
    assert.equal(scheduleOf({ T: ruled({}) }, { timezone: 'America/New_York' })?.timezone, 'America/New_York');
    const unknown = scheduleOf({ T: ruled({}) }, { timezone: 'DEFAULT' });
    assert.equal(unknown?.timezone, null);
    assert.ok(unknown.assumes.includes('no time zone in the file: n8n takes its own GENERIC_TIMEZONE.'));
  });
});

describe('waits', () => {
  const waitOf = (typeVersion: number, parameters: Record<string, unknown>): number =>
    auditOf({ nodes: { W: { type: 'wait', typeVersion, parameters } }, flow: '' }).waitMs;

  it('count by their version: an hour in the first, five seconds later', () => {
    assert.deepEqual([waitOf(1, {}), waitOf(1.1, {})], [3_600_000, 5_000]);
    assert.equal(waitOf(1.1, { amount: 2, unit: 'days' }), 172_800_000);
  });

  it('for an answer count up to their limit; what only n8n knows counts for nothing', () => {
    assert.equal(waitOf(1.1, { resume: 'webhook' }), 0);
    assert.equal(waitOf(1.1, { resume: 'webhook', limitWaitTime: true, resumeAmount: 3 }), 10_800_000);
    assert.equal(waitOf(1.1, { amount: '={{ $json.n }}' }), 0);
  });
});
