import { type Calls, callsOf, NO_FLOW } from './calls.ts';
import { doing, type Flow, leadingTo, reachedFrom } from './flow.ts';
import { gotSide } from './got-side.ts';
import { isEffect, waysOf, type Way } from './paths.ts';

/** What is worked in a flow, as far as it shows by itself: sub-workflows may do anything. */
interface Work {
  readonly calls: Calls;
  readonly ways: readonly Way[];
}

const known = new WeakMap<Flow, Work>();

function workOf(flow: Flow): Work {
  const before = known.get(flow);
  if (before !== undefined) return before;
  const calls = callsOf(flow, NO_FLOW);
  const work = { calls, ways: waysOf(flow, calls) };
  known.set(flow, work);
  return work;
}

const CLAIMS = /^(?:claim|sql-claim)$/;
const TAKES = /^(?:lock|claim|sql-claim)$/;

/**
 * What is still to be worked behind this node (or these, where they are named) of what a lock was taken for: marks of what is read, or else effects where
 * nothing was done before. Empty where the work is over, as before a message that tells of the end, and where records are
 * claimed, so that the lock isn't all that keeps others off them.
 */
export function unfinishedAt(
  flow: Flow,
  lock: number,
  at: number,
  targets: readonly number[] = (flow.next[at] ?? []).map(({ to }) => to),
): readonly number[] {
  const { calls, ways } = workOf(flow);
  const under = gotSide(flow, lock);
  const before = leadingTo(flow, at);
  const done = [...under].filter((node) => node !== lock && (before.has(node) || node === at));
  if (done.some((node) => CLAIMS.test(doing(flow, node)?.guard ?? ''))) return [];
  const takes = (node: number): boolean => TAKES.test(doing(flow, node)?.guard ?? '');
  const open = targets.filter((node) => !takes(node));
  const behind = open.length === 0 ? new Set<number>() : reachedFrom(flow, open, takes);
  const marked = ways.filter(({ mark }) => mark !== null && under.has(mark));
  if (marked.length > 0) {
    const left = new Set(marked.map(({ mark }) => mark ?? -1).filter((mark) => behind.has(mark)));
    return left.size === 0
      ? []
      : flow.order.filter((node) => behind.has(node) && (left.has(node) || isWork(flow, node, calls)));
  }
  if (done.some((node) => acts(flow, node))) return [];
  return flow.order.filter((node) => behind.has(node) && !takes(node) && isWork(flow, node, calls));
}

export function isUnfinishedAt(flow: Flow, lock: number, at: number): boolean {
  return unfinishedAt(flow, lock, at).length > 0;
}

/** What of the work that a lock was taken for lies among these nodes; empty where records are claimed before. */
export function workAmong(flow: Flow, lock: number, nodes: ReadonlySet<number>): readonly number[] {
  const { calls, ways } = workOf(flow);
  const under = gotSide(flow, lock);
  if ([...under].some((at) => CLAIMS.test(doing(flow, at)?.guard ?? ''))) return [];
  const marks = new Set(ways.map(({ mark }) => mark));
  return flow.order.filter((at) => nodes.has(at) && under.has(at) && (marks.has(at) || isWork(flow, at, calls)));
}

function acts(flow: Flow, at: number): boolean {
  const facts = doing(flow, at);
  return (facts?.writes.length ?? 0) > 0 || facts?.does === 'unknown' || facts?.does === 'call';
}

function isWork(flow: Flow, at: number, calls: Calls): boolean {
  const does = doing(flow, at)?.does;
  return isEffect(flow, at, calls) || does === 'call' || does === 'unknown';
}
