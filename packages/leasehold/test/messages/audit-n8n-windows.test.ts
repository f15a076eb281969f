/** What the auditor says of the way from a read to its mark in a workflow of n8n, word for word. Pure. */
import { describe } from 'node:test';
import { type Drawing, findingsOf, HOURLY, messageOf } from '../audit/n8n/build.ts';
import { code, http, MAIL, MARK_ROW, READ_ROWS, SHAPE, STORY } from '../audit/n8n/parts.ts';
import { assertSaid, type Said } from './said.ts';

const adviceOf = (drawing: Drawing, rule: Parameters<typeof findingsOf>[1]): string =>
  findingsOf(drawing, rule)[0]?.advice ?? 'no such finding';

const LOOP: Drawing = {
  nodes: { ...STORY.nodes, Each: { type: 'splitInBatches', typeVersion: 3 }, Shape: SHAPE },
  flow: 'Clock > New orders > Shape > Each; Each.1 > Mail > Mark sent > Each',
};
const LOGGING: Drawing = {
  nodes: { ...STORY.nodes, Mail: { type: 'dataTable', parameters: { dataTableId: { value: 'log' } } } },
  flow: STORY.flow,
};
const BROUGHT: Drawing = {
  nodes: { Row: { type: 'airtableTrigger' }, Mail: MAIL, 'Mark sent': MARK_ROW },
  flow: 'Row > Mail > Mark sent',
};
const UNMARKED: Drawing = {
  nodes: { Clock: HOURLY, 'New orders': READ_ROWS, Mail: MAIL },
  flow: 'Clock > New orders > Mail',
};
const UNSURE: Drawing = {
  nodes: { ...UNMARKED.nodes, Odd: { type: 'n8n-nodes-odd.thing' } },
  flow: 'Clock > New orders > Odd > Mail',
};
const SINCE: Drawing = {
  nodes: {
    Clock: HOURLY,
    New: http('GET', 'https://shop.test/orders?since={{ $now.minus({ hours: 1 }) }}'),
    Mail: MAIL,
  },
  flow: 'Clock > New > Mail',
};
const KEPT: Drawing = {
  nodes: {
    Clock: HOURLY,
    Last: code("const data = $getWorkflowStaticData('global'); return [{ json: { since: data.lastRun } }];"),
    New: http('GET', 'https://shop.test/orders', { queryParameters: { since: '={{ $json.since }}' } }),
    Note: code("$getWorkflowStaticData('global').lastRun = Date.now(); return items;"),
    Mail: MAIL,
  },
  flow: 'Clock > Last > New > Note > Mail',
};
const ALL_ROWS: Drawing = {
  nodes: {
    ...STORY.nodes,
    'New orders': { ...READ_ROWS, parameters: { ...(READ_ROWS['parameters'] as object), returnAll: true } },
  },
  flow: STORY.flow,
};
const SHEET: Drawing = {
  nodes: { Clock: HOURLY, Sheet: { type: 'googleSheets', typeVersion: 4.5 }, Mail: MAIL },
  flow: 'Clock > Sheet > Mail',
};
const limited = (name: string, node: Drawing['nodes'][string]): Drawing => ({
  nodes: { ...STORY.nodes, [name]: node },
  flow: `Clock > New orders > ${name} > Mail > Mark sent`,
});
const EXPRESSION: Drawing = {
  nodes: {
    Clock: HOURLY,
    Search: http('POST', 'https://crm.test/deals/search'),
    Call: http('POST', 'https://phone.test/call', { body: '={{ $json.results[0].phone }}' }),
  },
  flow: 'Clock > Search > Call',
};

const SAID: readonly Said[] = [
  [
    () => messageOf(STORY, 'window.read-to-write'),
    'Between "New orders" and the first status write, "Mark sent", lies 1 node: a run that starts in that time reads the same records and works them too.',
  ],
  [
    () => messageOf(LOOP, 'window.read-to-write'),
    'Between "New orders" and the first status write, "Mark sent", lie 3 nodes: a run that starts in that time reads the same records and works them too. It marks inside the loop "Each", so the last record waits for all before it.',
  ],
  [
    () => adviceOf(STORY, 'window.read-to-write'),
    'Put a Leasehold claim (SQL in a Postgres node: docs/sql-records.md) directly after "New orders", and a Leasehold guard (SQL in a Postgres node: docs/guides/sql.md#n8n) after the trigger, so that no second run starts.',
  ],
  [
    () => messageOf(STORY, 'window.effect-before-mark'),
    `"Mail" can't be taken back and comes before the mark, "Mark sent": a run that stops between the two is followed by one that does it again.`,
  ],
  [
    () => messageOf(LOGGING, 'window.effect-before-mark'),
    '"Mail" adds something and comes before the mark, "Mark sent": a run that stops between the two is followed by one that does it again.',
  ],
  [
    () => messageOf(BROUGHT, 'window.effect-before-mark'),
    `"Mail" can't be taken back and comes before the mark, "Mark sent": after a run that stops between the two it is done and not marked, and whoever repeats that run does it again.`,
  ],
  [
    () => adviceOf(STORY, 'window.effect-before-mark'),
    'Put a Leasehold claim (SQL in a Postgres node: docs/sql-records.md) between "New orders" and "Mail" and give its verdict after "Mail"; or at least move "Mark sent" before "Mail".',
  ],
  [
    () => messageOf(UNMARKED, 'window.no-status-write'),
    'No status write at all: nothing in this workflow marks what "New orders" reads, so the next run reads the same records and does "Mail" for them again.',
  ],
  [
    () => messageOf(UNSURE, 'window.no-status-write'),
    `No status write at all: nothing in this workflow marks what "New orders" reads, so the next run reads the same records and does "Mail" for them again. It can't be told what "Odd" does.`,
  ],
  [
    () => adviceOf(UNMARKED, 'window.no-status-write'),
    'Put a Leasehold claim (SQL in a Postgres node: docs/sql-records.md) between "New orders" and "Mail", or write a status back to where "New orders" reads, before the work.',
  ],
  [
    () => messageOf(SINCE, 'window.high-water-mark'),
    '"New" chooses what to read by a window counted from now: what becomes visible late is never read, and after a failed, late or double run the same records come twice.',
  ],
  [
    () => messageOf(KEPT, 'window.high-water-mark'),
    '"New" chooses what to read by the time that "Last" keeps from the last run: what becomes visible late is never read, and after a failed, late or double run the same records come twice.',
  ],
  [
    () => (findingsOf(KEPT, 'window.high-water-mark')[0]?.evidence ?? []).map(({ part }) => part).join(', '),
    'reads, keeps the time',
  ],
  [
    () => adviceOf(KEPT, 'window.high-water-mark'),
    'Read with an overlap (twice the interval) in "New" and put a Leasehold claim (SQL in a Postgres node: docs/sql-records.md) after it: it hands out each record once, however often it is read.',
  ],
  [
    () => messageOf(ALL_ROWS, 'read.unbounded'),
    '"New orders" reads all there is (returnAll): one run lasts as long as the backlog is, and outlives its interval on the day when that is long.',
  ],
  [
    () => messageOf(SHEET, 'read.unbounded'),
    '"Sheet" reads all there is, with no limit: one run lasts as long as the backlog is, and outlives its interval on the day when that is long.',
  ],
  [
    () => adviceOf(SHEET, 'read.unbounded'),
    `Give "Sheet" a limit that fits into half the interval, the oldest records first; what is left is the next run's.`,
  ],
  [
    () => messageOf(limited('One', { type: 'limit' }), 'items.dropped'),
    'Only the first of the n results of "New orders" is used: "One" keeps one item (Limit), and the other n - 1 are dropped without a word.',
  ],
  [
    () =>
      messageOf({ nodes: { ...STORY.nodes, Mail: { ...MAIL, executeOnce: true } }, flow: STORY.flow }, 'items.dropped'),
    'Only the first of the n results of "New orders" is used: "Mail" runs for one item only (executeOnce), and the other n - 1 are dropped without a word.',
  ],
  [
    () => messageOf(limited('Pick', code('return [{ json: $input.first().json }];')), 'items.dropped'),
    'Only the first of the n results of "New orders" is used: "Pick" takes the first item in its code, and the other n - 1 are dropped without a word.',
  ],
  [
    () => messageOf(EXPRESSION, 'items.dropped'),
    'Only the first of the n results of "Search" is used: "Call" takes the first entry in an expression, and the other n - 1 are dropped without a word.',
  ],
  [
    () => adviceOf(EXPRESSION, 'items.dropped'),
    'If one at a time is meant, set the limit of "Search" to 1 and mark what was taken; if not, let "Call" work every item, split the list before it, and keep a Leasehold claim (SQL in a Postgres node: docs/sql-records.md) in front.',
  ],
];

describe('what the auditor says of a read and its mark in n8n', () => assertSaid(SAID));
