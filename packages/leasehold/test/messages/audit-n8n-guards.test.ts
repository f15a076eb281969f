/** What the auditor says of guards, retries and settings in a workflow of n8n, word for word. Pure. */
import { describe } from 'node:test';
import { type Drawing, findingsOf, HOURLY, messageOf } from '../audit/n8n/build.ts';
import {
  behindClock,
  code,
  GET_FLAG,
  GUARD,
  http,
  MAIL,
  PROCEED,
  SET_FLAG,
  STORY,
  WEBHOOK,
} from '../audit/n8n/parts.ts';
import { assertSaid, type Said } from './said.ts';

const adviceOf = (drawing: Drawing, rule: Parameters<typeof findingsOf>[1]): string =>
  findingsOf(drawing, rule)[0]?.advice ?? 'no such finding';

const ODD = { type: 'n8n-nodes-odd.thing' };
const OPEN = behindClock('Guard', { ...GUARD, onError: 'continueRegularOutput' });
const LATE: Drawing = {
  nodes: { Clock: HOURLY, Mail: MAIL, Guard: GUARD, Post: { type: 'slack', typeVersion: 2.2 } },
  flow: 'Clock > Mail > Guard > Post',
};
const flag = (set: Drawing['nodes'][string]): Drawing => ({
  nodes: { ...STORY.nodes, Flag: GET_FLAG, 'Free?': { type: 'if' }, Take: set },
  flow: 'Clock > Flag > Free? > Take > New orders > Mail > Mark sent',
});
const EXPIRING = flag({ type: 'redis', parameters: { operation: 'set', key: 'busy', expire: true } });
const COUNTER = behindClock('Count', { type: 'redis', parameters: { operation: 'incr', key: 'busy' } });
const SEEN = behindClock('Seen', {
  type: 'removeDuplicates',
  typeVersion: 2,
  parameters: { operation: 'removeItemsSeenInPreviousExecutions' },
});
const STATIC = behindClock(
  'Lock',
  code(
    "const data = $getWorkflowStaticData('global'); if (data.isRunning) return []; data.isRunning = true; return items;",
  ),
);
const LISTING = behindClock('Known', code("const d = $getWorkflowStaticData('global'); d.ids.push(1); return items;"));
const ASKING = behindClock('Others', http('GET', 'https://n8n.test/api/v1/executions?status=running'));
const RELEASED: Drawing = {
  nodes: {
    ...STORY.nodes,
    Lock: http('POST', 'https://locks.test/v1/locks/a/acquire'),
    Got: PROCEED,
    Release: http('POST', 'https://locks.test/v1/locks/a/release'),
  },
  flow: 'Clock > Lock > Got > New orders > Mail > Mark sent > Release',
};
const HOOKED: Drawing = { nodes: { Hook: WEBHOOK, Guard: GUARD, Mail: MAIL }, flow: 'Hook > Guard > Mail' };
const RETRIED: Drawing = { nodes: { ...STORY.nodes, Mail: { ...MAIL, retryOnFail: true } }, flow: STORY.flow };
const RETRIER: Drawing = {
  nodes: {
    Clock: HOURLY,
    Failed: { type: 'n8n', parameters: { resource: 'execution' } },
    Again: http('POST', '=https://n8n.test/api/v1/executions/{{ $json.id }}/retry'),
  },
  flow: 'Clock > Failed > Again',
};
const settings = (more: Record<string, unknown>): Drawing => ({ ...STORY, settings: { timezone: 'UTC', ...more } });
const BY_HAND: Drawing = {
  name: 'Daily report',
  nodes: { Start: { type: 'manualTrigger' }, Mail: MAIL },
  flow: 'Start > Mail',
};

const partsOf = (drawing: Drawing, rule: Parameters<typeof findingsOf>[1]): string =>
  (findingsOf(drawing, rule)[0]?.evidence ?? []).map(({ node, part }) => `${String(node)} ${String(part)}`).join(', ');

const SAID: readonly Said[] = [
  [
    () => messageOf(STORY, 'guard.missing'),
    'Nothing keeps a second run out: "Clock" starts on time whether or not the run before has ended, and "Mail" (gmail message/send) is reached without a guard.',
  ],
  [
    () => messageOf(behindClock('Odd', ODD), 'guard.missing'),
    `Nothing keeps a second run out: "Clock" starts on time whether or not the run before has ended, and "Mail" (gmail message/send) is reached without a guard. It can't be told what "Odd" does.`,
  ],
  [
    () => messageOf({ nodes: { Clock: HOURLY, Odd: ODD, More: ODD }, flow: 'Clock > Odd > More' }, 'guard.missing'),
    `It can't be told what "Odd", "More" does: if it has an effect, nothing keeps a second run of "Clock" from having it, too.`,
  ],
  [
    () => adviceOf(STORY, 'guard.missing'),
    'Put a Leasehold guard (SQL in a Postgres node: docs/guides/sql.md#n8n) between "Clock" and what follows it; go on only where "proceed" is true, and end quietly where it is not.',
  ],
  [
    () => messageOf(OPEN, 'guard.fails-open'),
    'The guard "Guard" continues on its regular output when it fails: with its store out of reach every run goes through as if it had the lock.',
  ],
  [
    () => adviceOf(OPEN, 'guard.fails-open'),
    'Set On Error of "Guard" to "Stop Workflow", or to its error output and let that end.',
  ],
  [
    () => messageOf(LATE, 'guard.fails-open'),
    'The guard "Guard" stands behind "Mail": what it keeps out has already happened.',
  ],
  [() => adviceOf(LATE, 'guard.fails-open'), 'Move "Guard" before "Mail".'],
  [
    () => messageOf(flag(SET_FLAG), 'guard.fails-open'),
    '"Flag" reads a flag and "Take" sets it later: two runs that start together both find it free. It has no expiry: after a crash the flag stays until somebody deletes it.',
  ],
  [() => partsOf(EXPIRING, 'guard.fails-open'), 'Flag reads the flag, Take sets the flag'],
  [() => partsOf(SEEN, 'guard.fails-open'), 'Seen marks before the work'],
  [() => partsOf(STATIC, 'guard.fails-open'), 'Lock locks by static data'],
  [() => partsOf(ASKING, 'guard.fails-open'), 'Others asks for runs'],
  [() => partsOf(HOOKED, 'lock.drops-events'), 'Hook brings the record, Guard skips'],
  [
    () => messageOf(EXPIRING, 'guard.fails-open'),
    '"Flag" reads a flag and "Take" sets it later: two runs that start together both find it free.',
  ],
  [
    () => adviceOf(EXPIRING, 'guard.fails-open'),
    'Put a Leasehold guard (SQL in a Postgres node: docs/guides/sql.md#n8n) in place of "Flag" and "Take": it takes and checks in one step, and its lease ends by itself.',
  ],
  [
    () => messageOf(COUNTER, 'guard.fails-open'),
    '"Count" counts without an expiry: where it serves as a lock, a run that crashes leaves it taken for ever.',
  ],
  [
    () => adviceOf(COUNTER, 'guard.fails-open'),
    'If it is a lock, put a Leasehold guard (SQL in a Postgres node: docs/guides/sql.md#n8n) in place of "Count": its lease ends by itself.',
  ],
  [
    () => messageOf(SEEN, 'guard.fails-open'),
    '"Seen" notes items as seen before the work is done, and reads and writes its list in two steps: a run that fails loses them, and two runs at once both take them.',
  ],
  [
    () => adviceOf(SEEN, 'guard.fails-open'),
    'Put a Leasehold claim (SQL in a Postgres node: docs/sql-records.md) in place of "Seen", and give the verdict after the work.',
  ],
  [
    () => messageOf(STATIC, 'guard.fails-open'),
    `"Lock" keeps a lock in static data: n8n loads it when a run starts and stores it when the run ends, so runs at once never see each other's.`,
  ],
  [
    () => messageOf(LISTING, 'guard.fails-open'),
    '"Known" remembers what it has seen in static data, which n8n loads when a run starts and stores when it ends: two runs at once both take the same, and what a crashed run noted is gone.',
  ],
  [() => partsOf(LISTING, 'guard.fails-open'), 'Known remembers in static data'],
  [
    () => adviceOf(STATIC, 'guard.fails-open'),
    'Put a Leasehold guard (SQL in a Postgres node: docs/guides/sql.md#n8n) in place of "Lock".',
  ],
  [
    () => messageOf(ASKING, 'guard.fails-open'),
    '"Others" asks n8n which runs are under way: two that start together both get through, and a crashed run that is still listed as running blocks all for ever.',
  ],
  [
    () => findingsOf(RELEASED, 'guard.fails-open').at(-1)?.message,
    '"Release" gives back only where all before it went well: after a failure in "New orders" the lock that "Lock" took stays until it expires, and every start until then is lost.',
  ],
  [
    () => findingsOf(RELEASED, 'guard.fails-open').at(-1)?.advice,
    'Lead the error output of what can fail to "Release", too, or give back in an error workflow, as docs/guides/sql.md#n8n shows.',
  ],
  [
    () => messageOf(HOOKED, 'lock.drops-events'),
    '"Hook" brings the record with it, and "Guard" ends the run where another one is under way: that record is lost, since nothing brings it again.',
  ],
  [
    () => adviceOf(HOOKED, 'lock.drops-events'),
    `Put a Leasehold claim (SQL in a Postgres node: docs/sql-records.md) on the record's id in place of "Guard"; or let what finds it busy wait and come back, or answer 503 so that the sender tries again.`,
  ],
  [
    () => messageOf(RETRIED, 'retry.not-idempotent'),
    '"Mail" is retried when it fails, with all its items: where the answer was lost but the work was done, it is done again.',
  ],
  [
    () => adviceOf(RETRIED, 'retry.not-idempotent'),
    'Send an idempotency key with "Mail" (a Leasehold claim gives one: effectKey), or switch off its Retry On Fail and let the next run ask the provider first.',
  ],
  [
    () => messageOf(RETRIER, 'retry.not-idempotent'),
    '"Again" retries failed runs of other workflows by itself: each goes on at the node that failed, without passing the guard at its beginning, and does again what had an effect but no answer.',
  ],
  [
    () => adviceOf(RETRIER, 'retry.not-idempotent'),
    'Retry by hand, or only workflows whose every effect has a Leasehold claim directly before it.',
  ],
  [
    () => messageOf(settings({ executionTimeout: 3_600 }), 'platform.switch-is-no-lock'),
    'executionTimeout (1h) is no longer than the interval (1h), as if it kept runs apart: n8n stops a run at the next node only, the node that is working goes on beside the next run, and what is half done stays half done.',
  ],
  [
    () => adviceOf(settings({ executionTimeout: 60 }), 'platform.switch-is-no-lock'),
    'Put a Leasehold guard (SQL in a Postgres node: docs/guides/sql.md#n8n) after the trigger and give executionTimeout room: at least twice the slowest run.',
  ],
  [
    () => messageOf(settings({ maxConcurrency: 1 }), 'platform.switch-is-no-lock'),
    'n8n has no workflow setting "maxConcurrency" and ignores it: nothing limits how many runs of this workflow go side by side.',
  ],
  [
    () => adviceOf(settings({ maxConcurrency: 1 }), 'platform.switch-is-no-lock'),
    'Take the setting out, and put a Leasehold guard (SQL in a Postgres node: docs/guides/sql.md#n8n) after the trigger.',
  ],
  [
    () => messageOf(settings({ retryCount: 3 }), 'platform.switch-is-no-lock'),
    'n8n has no workflow setting "retryCount" and ignores it.',
  ],
  [
    () => adviceOf(settings({ retryCount: 3 }), 'platform.switch-is-no-lock'),
    'Set what was meant at the nodes that n8n has it for, and take the setting out of the file.',
  ],
  [
    () => messageOf(BY_HAND, 'schedule.never-fires'),
    'No schedule in the file, though its name speaks of one: only "Start" starts this workflow, by hand.',
  ],
  [
    () => adviceOf(BY_HAND, 'schedule.never-fires'),
    'If it should run by itself, add a Schedule Trigger, with a Leasehold guard (SQL in a Postgres node: docs/guides/sql.md#n8n) behind it.',
  ],
];

describe('what the auditor says of guards in n8n', () => assertSaid(SAID));
