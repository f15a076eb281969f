/** What the auditor says of files of n8n, of their schedules, and of workflows beside one another, word for word. */
import { describe } from 'node:test';
import type { Finding } from '../../src/audit/model/finding.ts';
import { poolShared } from '../../src/audit/rules/pools/pool-shared.ts';
import { audit, auditOf, draw, type Drawing, HOURLY } from '../audit/n8n/build.ts';
import { STORY } from '../audit/n8n/parts.ts';
import { known } from '../audit/stage.ts';
import { assertSaid, type Said } from './said.ts';

const unreadOf = (value: unknown): string => audit(value).unread[0] ?? 'nothing unread';
const EMPTY_FLOW = { name: 'Odd', connections: {} };
const NODE = { name: 'A', type: 'n8n-nodes-base.noOp' };
const FAR = { main: [[{ node: 'B', type: 'main', index: 0 }]] };

const clock = (rule: unknown, more: Record<string, unknown> = {}): Drawing['nodes'][string] => ({
  type: 'scheduleTrigger',
  typeVersion: 1.2,
  parameters: { rule },
  ...more,
});
const scheduleOf = (node: Drawing['nodes'][string], settings: unknown = {}): ReturnType<typeof auditOf>['schedule'] =>
  auditOf({ nodes: { Clock: node }, flow: '', settings }).schedule;
const faultOf = (item: unknown, version = 1.2): string | null | undefined =>
  scheduleOf(clock({ interval: [item] }, { typeVersion: version }))?.rules[0]?.fault;
const pollFault = (item: unknown): string | null | undefined =>
  scheduleOf({ type: 'gmailTrigger', parameters: { pollTimes: { item: [item] } } })?.rules[0]?.fault;
const timerFault = (parameters: unknown): string | null | undefined =>
  scheduleOf({ type: 'interval', parameters })?.rules[0]?.fault;
const assumesOf = (node: Drawing['nodes'][string], settings: unknown = { timezone: 'UTC' }): string | undefined =>
  scheduleOf(node, settings)?.assumes[0];

/** What is said of the first of these workflows. */
function sharedBy(...values: readonly unknown[]): Finding | undefined {
  const { workflows } = audit(...values);
  const contexts = workflows.map((workflow) => known([], { definition: workflow }));
  return poolShared(contexts).find(({ at }) => at === 0)?.finding;
}

const RENAMED = { id: 'w2', name: 'Late orders', nodes: { ...STORY.nodes, Mail: { type: 'slack', typeVersion: 2.2 } } };
const THIRD = { id: 'w3', name: 'Third', nodes: { ...STORY.nodes, Mail: { type: 'telegram' } } };

/** Takes and marks in one statement, or reads, says, and marks. */
const sql = (query: string): Drawing['nodes'][string] => ({
  type: 'postgres',
  typeVersion: 2.5,
  parameters: { operation: 'executeQuery', query },
  credentials: { postgres: { id: 'p1', name: 'Shop' } },
});
const CLAIMING: Drawing = {
  name: 'Claims',
  nodes: {
    Clock: HOURLY,
    Take: sql(
      "update orders set state = 'taken' where id in (select id from orders where state = 'new' limit 5 for update skip locked) returning *",
    ),
    Mail: { type: 'emailSend', typeVersion: 2.1 },
  },
  flow: 'Clock > Take > Mail',
};
/** By another messenger, so that it is no copy. */
const OTHER_CLAIM = { id: 'w2', name: 'Too', nodes: { ...CLAIMING.nodes, Mail: { type: 'slack', typeVersion: 2.2 } } };
const reading = (id: string, name: string): Drawing => ({
  id,
  name,
  nodes: {
    Clock: HOURLY,
    Read: sql("select * from orders where state = 'new'"),
    Say: { type: name === 'Reads' ? 'slack' : 'telegram' },
    Mark: sql("update orders set state = 'done' where id = 7"),
  },
  flow: 'Clock > Read > Say > Mark',
});

const ACCOUNT = { gmailOAuth2: { id: 'g1', name: 'Shop' } };
const INBOX = { type: 'gmailTrigger', credentials: ACCOUNT, parameters: { filters: { q: 'is:unread' } } };
const WATCHING: Drawing = { nodes: { Inbox: INBOX, Say: { type: 'slack', typeVersion: 2 } }, flow: 'Inbox > Say' };
const OTHER_WATCH = { id: 'w2', name: 'Second', nodes: { Inbox: INBOX, Say: { type: 'telegram' } } };

const SAID: readonly Said[] = [
  [() => unreadOf({ a: 1 }), 'file1.json: There is no n8n workflow in it: no object with a list of nodes.'],
  [
    () => unreadOf({ ...EMPTY_FLOW, nodes: [NODE, { name: 'x' }, 7] }),
    'file1.json: Workflow "Odd": 2 nodes have no name or no type and were left out.',
  ],
  [
    () => unreadOf({ ...EMPTY_FLOW, nodes: Array.from({ length: 5_002 }, () => NODE) }),
    'file1.json: Workflow "Odd": of 5002 nodes only the first 5000 were looked at.',
  ],
  [
    () => unreadOf({ ...EMPTY_FLOW, nodes: [NODE, NODE] }),
    'file1.json: Workflow "Odd": several nodes are named "A": connections go to the first.',
  ],
  [
    () => unreadOf({ name: 'Odd', nodes: [NODE], connections: { A: FAR, C: FAR, D: FAR, E: FAR } }),
    `file1.json: Workflow "Odd": connections name nodes that don't exist: "B", "C", "D" and 1 more.`,
  ],
  [
    () =>
      unreadOf({
        name: 'Odd',
        nodes: [NODE],
        connections: { A: { main: [Array.from({ length: 50_001 }, () => ({ node: 'A', type: 'main', index: 0 }))] } },
      }),
    'file1.json: Workflow "Odd": only the first 50000 connections were looked at.',
  ],
  [
    () => audit({ ...draw(STORY), versionId: 'v2', activeVersion: { ...draw(STORY), versionId: 'v1' } }).limits[0],
    'Looked at the published version v1; the draft v2 differs and runs nowhere.',
  ],
  [
    () => auditOf({ ...STORY, settings: { saveDataSuccessExecution: 'none' } }).historyLimits[0],
    'n8n deletes the runs of this workflow that succeed (saveDataSuccessExecution: none): only the others are in its history.',
  ],
  [
    () => auditOf({ ...STORY, settings: { saveDataErrorExecution: 'none' } }).historyLimits[0],
    'n8n deletes the runs of this workflow that fail (saveDataErrorExecution: none): they are missing in its history.',
  ],
  [
    () => audit(draw({ ...STORY, settings: { executionTimeout: 600 } })).limits[0],
    'n8n stops a run of this workflow after 10m (executionTimeout): none in its history is longer, however long its work would have been.',
  ],
  [
    () =>
      audit(
        draw({
          nodes: {
            Clock: HOURLY,
            Sub: { type: 'executeWorkflow', parameters: { options: { waitForSubWorkflow: false } } },
          },
          flow: 'Clock > Sub',
        }),
      ).limits[0],
    '"Sub" does not wait for its sub-workflow: runs end before their work does, so durations here are too short.',
  ],
  [
    () => assumesOf(HOURLY),
    'n8n picks the second within the minute itself, and the file does not say which; it is taken as 0, which changes no gap.',
  ],
  [
    () => assumesOf(clock({ interval: [{ field: 'seconds' }] }), {}),
    'no time zone in the file: n8n takes its own GENERIC_TIMEZONE.',
  ],
  [
    () => assumesOf(clock({ interval: [{ field: 'days', daysInterval: 2 }] })),
    'n8n counts every nth unit from the last run, which the file does not tell: gaps are exact, instants are not.',
  ],
  [
    () => scheduleOf(clock({ interval: [{ field: 'minutes', minutesInterval: 45 }] }), { timezone: 'UTC' })?.assumes[1],
    'older versions of n8n count minutes anew in each hour, and hours anew in each day, so that the last gap before that is shorter.',
  ],
  [
    () => assumesOf(clock({ interval: [{ field: 'hours', hoursInterval: '={{ $vars.n }}' }] })),
    'an expression stands where a number or a cron is expected: when it fires is only known to n8n.',
  ],
  [
    () => assumesOf({ type: 'interval', parameters: {} }),
    'a plain interval counts from the moment that the workflow was switched on.',
  ],
  [() => faultOf('daily'), 'the rule is not an object with a field'],
  [() => faultOf({ field: 'hours', hoursInterval: 36 }), 'hoursInterval is 36, and n8n can count from 1 to 23'],
  [
    () => faultOf({ field: 'minutes', minutesInterval: 90 }, 1.3),
    'minutesInterval is 90, and n8n can count from 1 to 59',
  ],
  [() => faultOf({ field: 'weeks', triggerAtDay: ['monday'] }), 'triggerAtDay is no list of weekdays from 0 to 6'],
  [() => faultOf({ triggerAtHour: '9am' }), 'triggerAtHour is not a whole number'],
  [() => faultOf({ triggerAtHour: 24 }), 'triggerAtHour is 24, beyond 23'],
  [() => faultOf({ field: 'cronExpression' }), 'the cron expression is empty'],
  [
    () => faultOf({ field: 'cronExpression', expression: '0 9 *' }),
    'a cron expression has five fields, or six with seconds first; this one has 3',
  ],
  [() => scheduleOf(clock('every day', {}))?.rules[0]?.fault, '"rule" is not an object with a list "interval"'],
  [() => scheduleOf(clock({ interval: { field: 'days' } }))?.rules[0]?.fault, '"rule.interval" is not a list'],
  [() => scheduleOf(clock({ interval: [] }))?.rules[0]?.fault, 'the list of rules is empty'],
  [() => pollFault(7), 'the poll time is not an object with a mode'],
  [() => pollFault({ mode: 'sometimes' }), 'n8n has no mode of that name'],
  [() => pollFault({ mode: 'everyDay', hour: 'nine' }), 'its time is not a number'],
  [() => pollFault({ mode: 'everyDay', hour: 24 }), 'its time is none that a clock has'],
  [() => pollFault({ mode: 'everyX', value: 0 }), 'n8n needs a whole number from 1 of minutes or hours'],
  [
    () => scheduleOf({ type: 'cron', parameters: { triggerTimes: { item: 'x' } } })?.rules[0]?.fault,
    'the times are not a list',
  ],
  [() => scheduleOf({ type: 'cron', parameters: {} })?.rules[0]?.fault, 'the list of times is empty'],
  [() => timerFault({ interval: 0 }), 'the interval must be a number above 0'],
  [() => timerFault({ interval: 1_000, unit: 'hours' }), 'the interval is longer than n8n can wait'],
  [
    () => sharedBy(draw(STORY), draw({ ...STORY, ...RENAMED }))?.message,
    '"Reminders" takes records from airtable "tblOrders00001" and marks them there, and so does "Late orders": both can take the same record.',
  ],
  [
    () => sharedBy(draw(STORY), draw({ ...STORY, ...RENAMED }), draw({ ...STORY, ...THIRD }))?.message,
    '"Reminders" takes records from airtable "tblOrders00001" and marks them there, and so do "Late orders" and "Third": both can take the same record.',
  ],
  [
    () => sharedBy(draw(STORY), draw({ ...STORY, ...RENAMED }))?.advice,
    'Let all of them claim from one Leasehold pool, named after "tblOrders00001": a record that one has claimed is not handed to another.',
  ],
  [
    () => sharedBy(draw(CLAIMING), draw(reading('w2', 'Reads')))?.message,
    '"Claims" claims the records that it takes from postgres "orders", but "Reads" takes records from there without a claim: both can take the same record.',
  ],
  [
    () => sharedBy(draw(CLAIMING), draw(reading('w2', 'Reads')), draw(reading('w3', 'Too')))?.message,
    '"Claims" claims the records that it takes from postgres "orders", but "Reads" and "Too" take records from there without a claim: both can take the same record.',
  ],
  [
    () => sharedBy(draw(CLAIMING), draw(reading('w2', 'Reads')))?.advice,
    'Nothing has to change here: let "Reads" claim as this workflow does.',
  ],
  [() => sharedBy(draw(CLAIMING), draw(reading('w2', 'Reads')))?.severity, 'info'],
  [() => sharedBy(draw(CLAIMING), draw({ ...CLAIMING, ...OTHER_CLAIM }))?.message ?? 'nothing', 'nothing'],
  [
    () => sharedBy(draw(WATCHING), draw({ ...WATCHING, ...OTHER_WATCH }))?.message,
    '"Reminders" and "Second" listen to the same thing (gmailTrigger, one account and filter): each record that comes starts all of them.',
  ],
  [
    () => sharedBy(draw(WATCHING), draw({ ...WATCHING, ...OTHER_WATCH }))?.advice,
    'If one of them is enough, switch off the others; else let each claim its records in a Leasehold pool of its own.',
  ],
  [
    () => sharedBy(draw(STORY), draw({ ...STORY, id: 'w2', name: 'Reminders copy' }))?.message,
    '"Reminders" and "Reminders copy" do the same at the same places and are all switched on: one looks like a copy of the other, and each record is worked by both.',
  ],
  [
    () => sharedBy(draw(STORY), draw({ ...STORY, id: 'w2', name: 'Reminders copy' }))?.advice,
    'Switch off all but one; if all are meant to run, give them one Leasehold lock and one pool.',
  ],
];

describe('what the auditor says of files of n8n', () => assertSaid(SAID));
