import { codeOf } from '../../n8n-nodes/code.ts';
import type { GuardKind } from '../../n8n-nodes/facts.ts';
import { chosen } from '../../n8n-nodes/values.ts';
import { doing, type Flow, leadingTo, nameOf, reachedFrom } from '../../graph/flow.ts';
import { isEffect } from '../../graph/paths.ts';
import type { Finding } from '../../model/finding.ts';
import { textOf } from '../../readers/n8n-workflow/definition.ts';
import { asksForRunning } from './asked-runs.ts';
import { findingOf, named, nodeEvidence, type StaticInput } from './input.ts';
import { CLAIM, GUARD } from './steps.ts';

/** What looks like a guard and lets runs through: each of them with the way in which it does. */
export function openGuards(input: StaticInput): readonly Finding[] {
  return [
    ...continuingGuards(input),
    ...lateGuards(input),
    ...redisFlags(input),
    ...redisCounters(input),
    ...earlyMarks(input),
    ...staticLocks(input),
    ...staticLists(input),
    ...askedRuns(input),
  ];
}

const HOLDING: ReadonlySet<GuardKind | null> = new Set([
  'lock',
  'claim',
  'sql-claim',
  'redis-get',
  'redis-incr',
  'asks-executions',
]);

function continuingGuards({ flow }: StaticInput): readonly Finding[] {
  return guards(flow, (kind) => HOLDING.has(kind))
    .filter((at) => flow.definition.nodes[at]?.onError === 'continue')
    .map((at) =>
      findingOf({
        rule: 'guard.fails-open',
        severity: 'critical',
        message: `The guard "${nameOf(flow, at)}" continues on its regular output when it fails: with its store out of reach every run goes through as if it had the lock.`,
        evidence: [nodeEvidence(flow, at, 'guard')],
        advice: `Set On Error of "${nameOf(flow, at)}" to "Stop Workflow", or to its error output and let that end.`,
      }),
    );
}

function lateGuards({ flow, calls }: StaticInput): readonly Finding[] {
  const strong = guards(flow, isStrong).map((at) => ({ at, after: reachedFrom(flow, [at]) }));
  return strong.flatMap(({ at }) => {
    const before = leadingTo(flow, at);
    const early = flow.order.filter((node) => before.has(node) && isEffect(flow, node, calls));
    const isKept = strong.some((other) => early.some((node) => node !== other.at && other.after.has(node)));
    if (early.length === 0 || isKept) return [];
    return [
      findingOf({
        rule: 'guard.fails-open',
        severity: 'warning',
        message: `The guard "${nameOf(flow, at)}" stands behind ${named(flow, early)}: what it keeps out has already happened.`,
        evidence: [nodeEvidence(flow, at, 'guard'), ...early.map((node) => nodeEvidence(flow, node, 'before it'))],
        advice: `Move "${nameOf(flow, at)}" before "${nameOf(flow, early[0] ?? at)}".`,
      }),
    ];
  });
}

function isStrong(kind: GuardKind | null): boolean {
  return kind === 'lock' || kind === 'claim' || kind === 'sql-claim';
}

/** Read, then write: two runs both read "free". */
function redisFlags(input: StaticInput): readonly Finding[] {
  const { flow } = input;
  return guards(flow, (kind) => kind === 'redis-get').flatMap((get) => {
    const after = reachedFrom(flow, [get]);
    const key = keyAt(flow, get);
    const set = guards(flow, (kind) => kind === 'redis-set').find(
      (at) => after.has(at) && (keyAt(flow, at) === key || key === null || keyAt(flow, at) === null),
    );
    if (set === undefined || !(actsAfter(input, get) || isNamedLock(flow, get))) return [];
    const ends = flow.definition.nodes[set]?.parameters['expire'] === true;
    const stays = ends ? '' : ' It has no expiry: after a crash the flag stays until somebody deletes it.';
    return [
      findingOf({
        rule: 'guard.fails-open',
        severity: 'warning',
        message: `"${nameOf(flow, get)}" reads a flag and "${nameOf(flow, set)}" sets it later: two runs that start together both find it free.${stays}`,
        evidence: [nodeEvidence(flow, get, 'reads the flag'), nodeEvidence(flow, set, 'sets the flag')],
        advice: `Put ${GUARD} in place of "${nameOf(flow, get)}" and "${nameOf(flow, set)}": it takes and checks in one step, and its lease ends by itself.`,
      }),
    ];
  });
}

function redisCounters(input: StaticInput): readonly Finding[] {
  const { flow } = input;
  return guards(flow, (kind) => kind === 'redis-incr')
    .filter((at) => flow.definition.nodes[at]?.parameters['expire'] !== true && actsAfter(input, at))
    .map((at) =>
      findingOf({
        rule: 'guard.fails-open',
        severity: 'info',
        message: `"${nameOf(flow, at)}" counts without an expiry: where it serves as a lock, a run that crashes leaves it taken for ever.`,
        evidence: [nodeEvidence(flow, at, 'counts')],
        advice: `If it is a lock, put ${GUARD} in place of "${nameOf(flow, at)}": its lease ends by itself.`,
      }),
    );
}

function earlyMarks(input: StaticInput): readonly Finding[] {
  const { flow } = input;
  return guards(flow, (kind) => kind === 'remove-duplicates')
    .filter((at) => actsAfter(input, at))
    .map((at) =>
      findingOf({
        rule: 'guard.fails-open',
        severity: 'warning',
        message: `"${nameOf(flow, at)}" notes items as seen before the work is done, and reads and writes its list in two steps: a run that fails loses them, and two runs at once both take them.`,
        evidence: [nodeEvidence(flow, at, 'marks before the work')],
        advice: `Put ${CLAIM} in place of "${nameOf(flow, at)}", and give the verdict after the work.`,
      }),
    );
}

function staticLocks(input: StaticInput): readonly Finding[] {
  const { flow } = input;
  return guards(flow, (kind) => kind === 'static-data')
    .filter((at) => codeOf(flow.definition.nodes[at]?.parameters ?? {}).remembers === 'lock' && actsAfter(input, at))
    .map((at) =>
      findingOf({
        rule: 'guard.fails-open',
        severity: 'warning',
        message: `"${nameOf(flow, at)}" keeps a lock in static data: n8n loads it when a run starts and stores it when the run ends, so runs at once never see each other's.`,
        evidence: [nodeEvidence(flow, at, 'locks by static data')],
        advice: `Put ${GUARD} in place of "${nameOf(flow, at)}".`,
      }),
    );
}

function staticLists(input: StaticInput): readonly Finding[] {
  const { flow } = input;
  return guards(flow, (kind) => kind === 'static-data')
    .filter((at) => codeOf(flow.definition.nodes[at]?.parameters ?? {}).remembers === 'list' && actsAfter(input, at))
    .map((at) =>
      findingOf({
        rule: 'guard.fails-open',
        severity: 'warning',
        message: `"${nameOf(flow, at)}" remembers what it has seen in static data, which n8n loads when a run starts and stores when it ends: two runs at once both take the same, and what a crashed run noted is gone.`,
        evidence: [nodeEvidence(flow, at, 'remembers in static data')],
        advice: `Put ${CLAIM} in place of "${nameOf(flow, at)}", and give the verdict after the work.`,
      }),
    );
}

function askedRuns(input: StaticInput): readonly Finding[] {
  const { flow } = input;
  return guards(flow, (kind) => kind === 'asks-executions')
    .filter((at) => actsAfter(input, at))
    .map((at) =>
      findingOf({
        rule: 'guard.fails-open',
        severity: 'warning',
        message: `"${nameOf(flow, at)}" asks n8n which runs are under way: two that start together both get through, and a crashed run that is still listed as running blocks all for ever.`,
        evidence: [nodeEvidence(flow, at, 'asks for runs')],
        advice: `Put ${GUARD} in place of "${nameOf(flow, at)}".`,
      }),
    );
}

function guards(flow: Flow, wanted: (kind: GuardKind | null) => boolean): readonly number[] {
  return flow.order
    .filter((at) => {
      const kind = doing(flow, at)?.guard ?? null;
      return kind !== null && wanted(kind) && (kind !== 'asks-executions' || asksForRunning(flow, at));
    })
    .slice(0, GUARDS_MAX);
}

/** Of one workflow and kind. */
const GUARDS_MAX = 10;

/** What nobody knows counts, too: a guard stands before something. */
function actsAfter({ flow, calls }: StaticInput, at: number): boolean {
  return [...reachedFrom(flow, [at])].some((node) => {
    const does = doing(flow, node)?.does;
    return node !== at && (isEffect(flow, node, calls) || does === 'unknown' || does === 'call');
  });
}

const LOCK_WORDS = /lock|mutex|busy|running|in.?progress|flag/i;

function isNamedLock(flow: Flow, at: number): boolean {
  return LOCK_WORDS.test(textOf(flow.definition.nodes[at]?.parameters['key']) ?? '');
}

function keyAt(flow: Flow, at: number): string | null {
  return chosen(flow.definition.nodes[at]?.parameters['key']);
}
