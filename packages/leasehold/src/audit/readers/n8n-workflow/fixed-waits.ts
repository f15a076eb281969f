import { type CallMemory, type Calls, callsOf, type FindFlow } from '../../graph/calls.ts';
import { doing, type Flow, nameOf } from '../../graph/flow.ts';
import { unguarded } from '../../graph/gates.ts';
import { startKind } from '../../graph/starts.ts';
import type { FoundWait } from '../../model/workflow.ts';
import { plainType } from '../../n8n-nodes/classify.ts';
import { redact } from '../../redact.ts';
import { awaits } from './awaits.ts';
import { timeoutMs } from './settings.ts';
import { fixedWaitMs } from './wait.ts';

/** Sub-workflows in sub-workflows that are looked into. */
const DEPTH_MAX = 5;

interface Search {
  readonly find: FindFlow;
  readonly memory: CallMemory;
  readonly depth: number;
  readonly isCertain: boolean;
  /** Sub-workflows that were looked into; one that is being looked into calls itself, and adds nothing. */
  readonly known: Map<Flow, Way>;
}

/**
 * How long a run that the clock starts waits at least: on the way that each takes, and on the longest of all ways. What
 * stands behind a lock is left out, since a start that meets a run there is skipped.
 */
export function fixedWaits(flow: Flow, find: FindFlow, memory: CallMemory): readonly FoundWait[] {
  const starts = flow.triggers.filter((at) => startKind(flow, at) === 'timed');
  if (starts.length === 0) return [];
  const [certain, longest] = [true, false].map((isCertain) =>
    longestWay(flow, starts, { find, memory, depth: 0, isCertain, known: new Map([[flow, NO_WAY]]) }),
  );
  if (certain === undefined || longest === undefined) return [];
  const waits = [
    { steps: certain.steps, isCertain: true },
    ...(longest.totalMs > certain.totalMs ? [{ steps: longest.steps, isCertain: false }] : []),
  ];
  // n8n would stop a run before it has waited so long.
  const timeout = timeoutMs(flow.definition.settings) ?? Number.POSITIVE_INFINITY;
  const longestMs = ({ steps }: FoundWait): number => steps.reduce((sum, { waitMs }) => sum + waitMs, 0);
  return waits.filter((wait) => wait.steps.length > 0 && longestMs(wait) < timeout);
}

interface Way {
  readonly totalMs: number;
  readonly steps: FoundWait['steps'];
}

const NO_WAY: Way = { totalMs: 0, steps: [] };
/** Steps that are named; a way has few. */
const STEPS_MAX = 20;

function longestWay(flow: Flow, starts: readonly number[], search: Search): Way {
  const open = unguarded(flow, 'runs');
  const calls = callsOf(flow, search.find, search.memory);
  const to = new Map<number, Way>(starts.map((at) => [at, NO_WAY]));
  let longest = NO_WAY;
  for (const at of flow.order) {
    const before = to.get(at);
    if (before === undefined || !open.has(at)) continue;
    const here = together(before, waitAt(flow, at, { ...search, calls }));
    if (here.totalMs > longest.totalMs) longest = here;
    if (search.isCertain && chooses(flow, at)) continue;
    for (const target of flow.next[at] ?? []) {
      if (search.isCertain && target.output > 0 && doing(flow, at)?.does !== 'loop') continue;
      const known = to.get(target.to);
      if (known === undefined || known.totalMs < here.totalMs) to.set(target.to, here);
    }
  }
  return longest;
}

function together(one: Way, other: Way): Way {
  if (other.totalMs === 0) return one;
  return { totalMs: one.totalMs + other.totalMs, steps: [...one.steps, ...other.steps].slice(0, STEPS_MAX) };
}

function waitAt(flow: Flow, at: number, search: Search & { readonly calls: Calls }): Way {
  const node = flow.definition.nodes[at];
  if (node === undefined || doing(flow, at) === null) return NO_WAY;
  const own = plainType(node) === 'wait' ? fixedWaitMs(node) : 0;
  if (own > 0) return { totalMs: own, steps: [{ node: redact(node.name), waitMs: own }] };
  const callee = awaits(flow, at) ? search.calls.flowAt(at) : null;
  if (callee === null || search.depth >= DEPTH_MAX) return NO_WAY;
  const { totalMs } = wayOf(callee, search);
  return totalMs === 0 ? NO_WAY : { totalMs, steps: [{ node: redact(nameOf(flow, at)), waitMs: totalMs }] };
}

function wayOf(callee: Flow, search: Search): Way {
  const before = search.known.get(callee);
  if (before !== undefined) return before;
  search.known.set(callee, NO_WAY);
  const way = longestWay(callee, callee.starts, { ...search, depth: search.depth + 1 });
  search.known.set(callee, way);
  return way;
}

const CHOOSING = /^(?:if|switch|filter)$/;

function chooses(flow: Flow, at: number): boolean {
  const node = flow.definition.nodes[at];
  return node !== undefined && !node.isDisabled && CHOOSING.test(plainType(node));
}
