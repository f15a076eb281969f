/** What the auditor says of locks in n8n that each run gets, or that are free before the work is done, word for word. Pure. */
import { describe } from 'node:test';
import { leaseOutrun } from '../../src/audit/rules/history/lease-outrun.ts';
import { unknownWaits } from '../../src/audit/rules/history/unknown-waits.ts';
import type { Finding } from '../../src/audit/model/finding.ts';
import { auditOf, type Drawing, type Drawn, findingsOf, HOURLY } from '../audit/n8n/build.ts';
import { behindClock, MAIL, STORY } from '../audit/n8n/parts.ts';
import { everyMs, HOUR, known, runsAt, workflow } from '../audit/stage.ts';
import { assertSaid, type Said } from './said.ts';

const sql = (query: string): Drawn => ({
  type: 'postgres',
  typeVersion: 2.5,
  parameters: { operation: 'executeQuery', query },
});
const acquire = (name: string, lease = '5 min', more = ''): Drawn =>
  sql(`select * from leasehold.acquire('${name}', '${lease}', 'n8n'${more}) where proceed`);
const Free = sql("select * from leasehold.release('a', $1, 'success')");
const Wait: Drawn = { type: 'wait', typeVersion: 1.1, parameters: { amount: 10, unit: 'minutes' } };
const NODES = { ...STORY.nodes, Lock: acquire('a'), Free, Wait, Loop: { type: 'splitInBatches', typeVersion: 3 } };
const story = (flow: string, nodes: Readonly<Record<string, Drawn>> = {}): Drawing => ({
  nodes: { ...NODES, ...nodes },
  flow,
});

const messageOf = (drawing: Drawing): string =>
  findingsOf(drawing, 'guard.fails-open')[0]?.message ?? 'no such finding';
const adviceOf = (drawing: Drawing): string => findingsOf(drawing, 'guard.fails-open')[0]?.advice ?? 'no such finding';

const OWN = behindClock('Lock', acquire('a-{{ $execution.id }}'));
const BY_HOUR = behindClock('Lock', acquire("a-{{ $now.toFormat('HH') }}"));
const BY_ITEM = story('Clock > New orders > Lock > Mail > Mark sent', { Lock: acquire('a-{{ $itemIndex }}') });
const ONE = behindClock('Lock', acquire('a', '5 min', ", run_id => 'n8n'"));
const PASSED = behindClock('Lock', acquire('a', '5 min', ", bypass_reason => 'busy'"));
const SHORT = story('Clock > Lock > Wait > New orders > Mail > Mark sent');
const KEPT = behindClock('Lock', acquire('a', '7 days'));
const EARLY = story('Clock > Lock > Free > New orders > Mail > Mark sent');
const LOOP = story('Clock > Lock > New orders > Loop; Loop.1 > Mail > Mark sent > Free > Loop');

const UNAWAITED = story('Clock > Lock > New orders > Sub > Free', {
  Sub: { type: 'executeWorkflow', parameters: { options: { waitForSubWorkflow: false } } },
});

const counter = (
  more: Record<string, unknown>,
  flow = 'Clock > Count > First > New orders > Mail > Mark sent',
): Drawing => {
  const count = (operation: string): Drawn => ({ type: 'redis', parameters: { operation, key: 'busy', ...more } });
  const condition = {
    leftValue: '={{ $json.busy }}',
    rightValue: 1,
    operator: { type: 'number', operation: 'equals' },
  };
  const first = { type: 'if', typeVersion: 2.2, parameters: { conditions: { conditions: [condition] } } };
  return { nodes: { ...STORY.nodes, Count: count('incr'), First: first, Free: count('delete') }, flow };
};

const outrun = (gap: number | null): Finding | undefined => {
  const locks = [{ node: 'Lock', leaseMs: HOUR / 2 }];
  const runs = runsAt(everyMs(3 * HOUR, 20), 2 * HOUR);
  return leaseOutrun(known(runs, { definition: workflow({ locks }), ...(gap === null ? {} : { everyMs: gap }) }))[0];
};
const waiting = (timed: boolean): Finding | undefined => {
  const later: Drawn = { type: 'wait', typeVersion: 1.1, parameters: { amount: '={{ $json.hours }}', unit: 'hours' } };
  const found = auditOf({ nodes: { Clock: HOURLY, Later: later, Mail: MAIL }, flow: 'Clock > Later > Mail' });
  return unknownWaits(known([], { definition: { ...found, ...(timed ? {} : { schedule: null }) } }))[0];
};

const SAID: readonly Said[] = [
  [
    () => messageOf(OWN),
    'The name of the lock that "Lock" takes has $execution.id in it, which is another one at each start: each run has a lock of its own and keeps nobody out.',
  ],
  [
    () => adviceOf(OWN),
    'Give "Lock" the same name for each run, such as that of the workflow; what differs from run to run belongs into the holder and the run id.',
  ],
  [
    () => messageOf(BY_HOUR),
    'The name of the lock that "Lock" takes has {{ $now.toFormat(\'HH\') }} in it, which is another one at each start (it changes every 1h): each run has a lock of its own and keeps nobody out.',
  ],
  [
    () => messageOf(BY_ITEM),
    'The name of the lock that "Lock" takes has {{ $itemIndex }} in it, which counts the items of its own run: a run with more of them, or with others in their places, gets through.',
  ],
  [
    () => adviceOf(BY_ITEM),
    'Take one lock in front of all items, with the same name for each run; or claim each record by its id.',
  ],
  [
    () => messageOf(ONE),
    '"Lock" asks with the same holder and the same run id in each run: every start is taken for a repeat of the first and gets its lock, too, and once that lease is over none gets it again.',
  ],
  [() => adviceOf(ONE), "Give \"Lock\" the execution's id as run id: run_id => '{{ $execution.id }}'."],
  [
    () => messageOf(PASSED),
    '"Lock" gives a reason to pass the lock by (bypass_reason): it goes on whoever holds the lock, and holds nothing itself.',
  ],
  [() => adviceOf(PASSED), 'Take the reason out of "Lock".'],
  [
    () => messageOf(SHORT),
    'The lease that "Lock" takes is over after 5m, and "Wait" waits 10m before the work is done: from then on the next start gets the lock, and both work the same records.',
  ],
  [
    () => adviceOf(SHORT),
    'Give "Lock" a lease that is longer than 10m and the work behind it, or renew it in front of "Wait" (leasehold.renew with a lease of its own).',
  ],
  [
    () => messageOf(KEPT),
    'Nothing in this workflow gives back the lock that "Lock" takes for 7d: the starts that come every 1h find it held until then, and the work is done once in 7d.',
  ],
  [
    () => adviceOf(KEPT),
    'Give it back at the end of each way, the error path too (leasehold.release: docs/guides/sql.md#n8n).',
  ],
  [
    () => messageOf(EARLY),
    '"Free" gives back the lock of "Lock" before "Mail", "Mark sent": the next start gets it while this run is still at work.',
  ],
  [
    () => messageOf(UNAWAITED),
    '"Free" gives back the lock of "Lock" while "Sub", which the run does not wait for, is still at work: the next start gets it and works the same records.',
  ],
  [
    () => adviceOf(UNAWAITED),
    'Let "Sub" wait for the sub-workflow (Wait For Sub-Workflow Completion), or let the sub-workflow give back the lock.',
  ],
  [
    () => messageOf(counter({}, 'Clock > Count > First > New orders > Mail > Mark sent > Free')),
    '"Count" is a lock by counting and has no expiry: after a run that crashed no run gets it again.',
  ],
  [
    () => adviceOf(counter({})),
    'Put a Leasehold guard (SQL in a Postgres node: docs/guides/sql.md#n8n) in place of "Count": its lease ends by itself.',
  ],
  [
    () => messageOf(counter({ expire: true, ttl: 7_200 })),
    '"Count" is a lock by counting whose expiry of 2h begins anew at each start, got or not: since nothing deletes it, after its first run the starts that come every 1h keep it taken for ever.',
  ],
  [() => adviceOf(EARLY), 'Move "Free" behind "Mark sent", to the end of each way.'],
  [
    () => messageOf(LOOP),
    '"Free" stands inside the loop "Loop": the first pass gives back the lock of "Lock", and the next start gets it while this run still does "Mail", "Mark sent" for the rest.',
  ],
  [() => adviceOf(LOOP), 'Move "Free" to the "done" output of "Loop".'],
  [
    () => outrun(HOUR)?.message ?? '',
    'The lease that "Lock" takes is 30m, and 20 of 20 runs took longer, 2h at most: when it is over, the next start gets the lock of a run that is still at work.',
  ],
  [
    () => outrun(HOUR)?.advice ?? '',
    'Give "Lock" a lease of 240m, or renew it on the way (leasehold.renew: docs/guides/sql.md#n8n).',
  ],
  [
    () => waiting(true)?.message ?? '',
    'How long "Later" waits is only known when n8n comes to it: whether a run is still open at the next start, 1h later, can\'t be told.',
  ],
  [
    () => waiting(true)?.advice ?? '',
    "Add the longest of these waits to the lease of 121m, which doesn't span it. Or write the wait as a fixed length.",
  ],
  [
    () => waiting(false)?.advice ?? '',
    'Let the lease of its lock be longer than the longest of these waits. Or write the wait as a fixed length.',
  ],
];

describe('of locks that keep nobody out it is said', () => assertSaid(SAID));
