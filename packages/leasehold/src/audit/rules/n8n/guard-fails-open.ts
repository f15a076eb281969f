import { codeOf } from '../../n8n-nodes/code.ts';
import type { GuardKind } from '../../n8n-nodes/facts.ts';
import { leadingTo, nameOf } from '../../graph/flow.ts';
import { holds, unguarded } from '../../graph/gates.ts';
import { isEffect } from '../../graph/paths.ts';
import type { Finding } from '../../model/finding.ts';
import { connectionLocks } from './connection-locks.ts';
import { actsAfter, guards, type OpenGuard } from './guards.ts';
import { findingOf, named, nodeEvidence, type StaticInput } from './input.ts';
import { openFlags } from './open-flags.ts';
import { CLAIM, GUARD } from './steps.ts';

/** What looks like a guard and lets runs through: each of them with the way in which it does. */
export function openGuards(input: StaticInput): readonly Finding[] {
  return [...continuingGuards(input), ...lateGuards(input), ...homemadeGuards(input).map(({ finding }) => finding)];
}

/** Those that people make of what n8n has, and that keep nobody out. */
export function homemadeGuards(input: StaticInput): readonly OpenGuard[] {
  return [
    ...openFlags(input),
    ...connectionLocks(input),
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
  const open = unguarded(flow, 'runs');
  const strong = guards(flow, isStrong).filter((at) => holds(flow, at));
  return strong.flatMap((at) => {
    const before = leadingTo(flow, at);
    const early = flow.order.filter((node) => before.has(node) && open.has(node) && isEffect(flow, node, calls));
    if (early.length === 0) return [];
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

function earlyMarks(input: StaticInput): readonly OpenGuard[] {
  const { flow } = input;
  return guards(flow, (kind) => kind === 'remove-duplicates')
    .filter((at) => actsAfter(input, at))
    .map((at) => ({
      guard: at,
      finding: findingOf({
        rule: 'guard.fails-open',
        severity: 'warning',
        message: `"${nameOf(flow, at)}" notes items as seen before the work is done, and reads and writes its list in two steps: a run that fails loses them, and two runs at once both take them.`,
        evidence: [nodeEvidence(flow, at, 'marks before the work')],
        advice: `Put ${CLAIM} in place of "${nameOf(flow, at)}", and give the verdict after the work.`,
      }),
    }));
}

function staticLocks(input: StaticInput): readonly OpenGuard[] {
  const { flow } = input;
  return guards(flow, (kind) => kind === 'static-data')
    .filter((at) => codeOf(flow.definition.nodes[at]?.parameters ?? {}).remembers === 'lock' && actsAfter(input, at))
    .map((at) => ({
      guard: at,
      finding: findingOf({
        rule: 'guard.fails-open',
        severity: 'warning',
        message: `"${nameOf(flow, at)}" keeps a lock in static data: n8n loads it when a run starts and stores it when the run ends, so runs at once never see each other's.`,
        evidence: [nodeEvidence(flow, at, 'locks by static data')],
        advice: `Put ${GUARD} in place of "${nameOf(flow, at)}".`,
      }),
    }));
}

function staticLists(input: StaticInput): readonly OpenGuard[] {
  const { flow } = input;
  return guards(flow, (kind) => kind === 'static-data')
    .filter((at) => codeOf(flow.definition.nodes[at]?.parameters ?? {}).remembers === 'list' && actsAfter(input, at))
    .map((at) => ({
      guard: at,
      finding: findingOf({
        rule: 'guard.fails-open',
        severity: 'warning',
        message: `"${nameOf(flow, at)}" remembers what it has seen in static data, which n8n loads when a run starts and stores when it ends: two runs at once both take the same, and what a crashed run noted is gone.`,
        evidence: [nodeEvidence(flow, at, 'remembers in static data')],
        advice: `Put ${CLAIM} in place of "${nameOf(flow, at)}", and give the verdict after the work.`,
      }),
    }));
}

function askedRuns(input: StaticInput): readonly OpenGuard[] {
  const { flow } = input;
  return guards(flow, (kind) => kind === 'asks-executions')
    .filter((at) => actsAfter(input, at))
    .map((at) => ({
      guard: at,
      finding: findingOf({
        rule: 'guard.fails-open',
        severity: 'warning',
        message: `"${nameOf(flow, at)}" asks n8n which runs are under way: two that start together both get through, and a crashed run that is still listed as running blocks all for ever.`,
        evidence: [nodeEvidence(flow, at, 'asks for runs')],
        advice: `Put ${GUARD} in place of "${nameOf(flow, at)}".`,
      }),
    }));
}
