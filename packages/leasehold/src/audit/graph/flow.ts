/**
 * A workflow as its items flow. Nodes are numbers; edges of `main` only, since what is plugged into an agent is a part
 * of it. Three things are made plain here, so that all who walk need not know of them: a disabled node passes its items
 * on by its first output; a loop's way back leads to what follows the loop; and every other way back is cut, so that
 * the flow has an order and each walk visits a node once.
 */
import type { N8nDefinition, N8nEdge } from '../readers/n8n-workflow/definition.ts';
import { classify } from '../n8n-nodes/classify.ts';
import type { NodeFacts } from '../n8n-nodes/facts.ts';
import { joinTools } from './tools.ts';

export interface Flow {
  readonly definition: N8nDefinition;
  readonly facts: readonly NodeFacts[];
  /** Targets by node, in the order of the outputs, without those that lead back. */
  readonly next: readonly (readonly Target[])[];
  readonly before: readonly (readonly number[])[];
  /** Nodes in an order in which each comes after all that lead to it. */
  readonly order: readonly number[];
  /** Enabled nodes that start a run. */
  readonly triggers: readonly number[];
  /** The same; where there is none, as in a part that was copied out, the nodes that nothing leads to. */
  readonly starts: readonly number[];
  /** For each loop, the nodes inside it. */
  readonly loops: ReadonlyMap<number, ReadonlySet<number>>;
}

export interface Target {
  readonly to: number;
  readonly output: number;
}

/** Version 3 of Loop Over Items has "done" first; older ones have it second. */
const DONE_FIRST_FROM = 3;

export function flowOf(definition: N8nDefinition): Flow {
  const { nodes, edges } = definition;
  const facts = joinTools(definition, nodes.map(classify));
  const main = edges.filter(
    ({ type, from, output }) => type === 'main' && (nodes[from]?.isDisabled !== true || output === 0),
  );
  const raw = targetsOf(nodes.length, main);
  const loops = loopsIn(definition, facts, raw);
  const next = raw.map((targets, at) => targets.flatMap((target) => afterLoop(target, at, { raw, loops, definition })));
  const triggers = [...nodes.keys()].filter((at) => facts[at]?.does === 'trigger' && nodes[at]?.isDisabled !== true);
  const { order, cut } = orderOf(next, triggers);
  const forward = next.map((targets, at) => targets.filter(({ to }) => !cut.has(at * nodes.length + to)));
  const before = sourcesOf(forward);
  const starts = triggers.length > 0 ? triggers : [...nodes.keys()].filter((at) => before[at]?.length === 0);
  return { definition, facts, next: forward, before, order, triggers, starts, loops };
}

/** Loops of one workflow that are looked into; further ones count as plain nodes. */
const LOOPS_MAX = 100;
/** Ways from the ends of one loop's body to what follows it; a loop with more counts as a plain node, too. */
const LEADS_MAX = 10_000;

function loopsIn(
  definition: N8nDefinition,
  facts: readonly NodeFacts[],
  raw: readonly (readonly Target[])[],
): Flow['loops'] {
  const loops = new Map<number, ReadonlySet<number>>();
  for (const [at, node] of definition.nodes.entries()) {
    if (facts[at]?.does !== 'loop' || node.isDisabled || loops.size >= LOOPS_MAX) continue;
    const done = doneOutput(definition, at);
    const body = bodyOf(at, raw, done);
    const ends = [...body].reduce((count, end) => count + (raw[end] ?? []).filter(({ to }) => to === at).length, 0);
    const exits = (raw[at] ?? []).filter(({ output }) => output === done).length;
    if (ends * exits <= LEADS_MAX) loops.set(at, body);
  }
  return loops;
}

function targetsOf(count: number, edges: readonly N8nEdge[]): Target[][] {
  const targets: Target[][] = Array.from({ length: count }, () => []);
  for (const { from, to, output } of edges) targets[from]?.push({ to, output });
  for (const list of targets) list.sort((one, other) => one.output - other.output);
  return targets;
}

function sourcesOf(next: readonly (readonly Target[])[]): number[][] {
  const sources: number[][] = next.map(() => []);
  for (const [at, targets] of next.entries()) for (const { to } of targets) sources[to]?.push(at);
  return sources;
}

function doneOutput({ nodes }: N8nDefinition, at: number): number {
  return (nodes[at]?.version ?? DONE_FIRST_FROM) >= DONE_FIRST_FROM ? 0 : 1;
}

/** What is reached from the loop's other output without coming back to the loop. */
function bodyOf(loop: number, next: readonly (readonly Target[])[], done: number): ReadonlySet<number> {
  const body = new Set<number>();
  const waiting = (next[loop] ?? []).filter(({ output }) => output !== done).map(({ to }) => to);
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (at === loop || body.has(at)) continue;
    body.add(at);
    waiting.push(...(next[at] ?? []).map(({ to }) => to));
  }
  return body;
}

interface Looping {
  readonly raw: readonly (readonly Target[])[];
  readonly loops: ReadonlyMap<number, ReadonlySet<number>>;
  readonly definition: N8nDefinition;
}

/** The end of a loop's body leads on to what stands at its "done", and nothing gets there past the body. */
function afterLoop(target: Target, from: number, { raw, loops, definition }: Looping): readonly Target[] {
  const own = loops.get(from);
  if (own !== undefined && target.output === doneOutput(definition, from))
    return [...own].some((at) => raw[at]?.some(({ to }) => to === from)) ? [] : [target];
  if (loops.get(target.to)?.has(from) !== true) return [target];
  const done = doneOutput(definition, target.to);
  return (raw[target.to] ?? [])
    .filter(({ output, to }) => output === done && to !== from)
    .map(({ to }) => ({ to, output: target.output }));
}

/** Depth first from the triggers, then from what no trigger reaches; ways back are cut. No recursion: graphs are anybody's. */
function orderOf(
  next: readonly (readonly Target[])[],
  triggers: readonly number[],
): { order: number[]; cut: Set<number> } {
  const count = next.length;
  const state = new Uint8Array(count);
  const finished: number[] = [];
  const cut = new Set<number>();
  for (const start of [...triggers, ...next.keys()]) {
    if (state[start] !== 0) continue;
    const stack: { at: number; child: number }[] = [{ at: start, child: 0 }];
    state[start] = 1;
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const to = next[top.at]?.[top.child]?.to;
      top.child += 1;
      if (to === undefined) {
        state[top.at] = 2;
        finished.push(top.at);
        stack.pop();
      } else if (state[to] === 1) cut.add(top.at * count + to);
      else if (state[to] === 0) {
        state[to] = 1;
        stack.push({ at: to, child: 0 });
      }
    }
  }
  return { order: finished.toReversed(), cut };
}

/** All that is reached from a node, itself included; `stops` are reached but not passed. */
export function reachedFrom(
  flow: Flow,
  starts: readonly number[],
  stops: (at: number) => boolean = () => false,
): Set<number> {
  const reached = new Set<number>();
  const waiting = [...starts];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (reached.has(at)) continue;
    reached.add(at);
    if (stops(at) && !starts.includes(at)) continue;
    waiting.push(...(flow.next[at] ?? []).map(({ to }) => to));
  }
  return reached;
}

/** All that leads to a node, without itself. */
export function leadingTo(flow: Flow, end: number): Set<number> {
  const reached = new Set<number>();
  const waiting = [...(flow.before[end] ?? [])];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (reached.has(at)) continue;
    reached.add(at);
    waiting.push(...(flow.before[at] ?? []));
  }
  return reached;
}

export function nameOf(flow: Flow, at: number): string {
  return flow.definition.nodes[at]?.name ?? '';
}

/** What an enabled node does; a disabled one does nothing. */
export function doing(flow: Flow, at: number): NodeFacts | null {
  return flow.definition.nodes[at]?.isDisabled === true ? null : (flow.facts[at] ?? null);
}
