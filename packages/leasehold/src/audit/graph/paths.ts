/**
 * From each read of records to the first write that marks what was read. One walk a read over the flow's order finds, for
 * each way into a mark, the most nodes that can lie between: nothing is enumerated, so branches that multiply cost
 * nothing. A way ends at its first mark; what lies behind counts no more.
 */
import { isSamePlace, type Place, type Write } from '../n8n-nodes/facts.ts';
import type { Calls } from './calls.ts';
import { doing, type Flow, leadingTo, reachedFrom } from './flow.ts';

export interface Way {
  readonly read: number;
  /** Null where nothing that is reached marks. */
  readonly mark: number | null;
  /** Nodes strictly between, on the longest way into this mark by the node before it. */
  readonly steps: number | null;
  /** The nodes between, on that way, in order. */
  readonly between: readonly number[];
  /** Those that a repeat does again; where nothing marks, all behind the read. */
  readonly effects: readonly number[];
}

/** Reads that are walked from, and ways that are kept of each, longest first. */
const READS_MAX = 50;
const WAYS_MAX = 6;

/** Ways of all reads that something marks, and of the first reads that nothing does. */
export function waysOf(flow: Flow, calls: Calls): readonly Way[] {
  const reads = readsOf(flow, calls);
  const position = new Map(flow.order.map((at, index) => [at, index]));
  const marked = reads.flatMap((read) => waysFrom(flow, read, { calls, position }));
  const done = new Set(marked.map(({ read }) => read));
  // What a trigger has brought it does not bring again.
  const open = firstReads(flow, reads).filter((read) => !done.has(read) && !isTrigger(flow, read));
  return [
    ...marked,
    ...open.map((read) => ({ read, mark: null, steps: null, between: [], effects: effectsAfter(flow, read, calls) })),
  ];
}

function readsOf(flow: Flow, calls: Calls): number[] {
  const reached = reachedFrom(flow, flow.starts);
  return flow.order.filter((at) => reached.has(at) && readsAt(flow, at, calls).length > 0).slice(0, READS_MAX);
}

/** Where a list of records comes from at this node: its own read, what its trigger brings, or a sub-workflow's. */
export function readsAt(flow: Flow, at: number, calls: Calls): readonly Place[] {
  const facts = doing(flow, at);
  if (facts === null || facts.isLookup || facts.guard !== null) return [];
  return facts.does === 'read' || facts.does === 'trigger' ? facts.reads : calls.readsAt(at);
}

export function isTrigger(flow: Flow, at: number): boolean {
  return doing(flow, at)?.does === 'trigger';
}

/** Those with no other read before them; what a trigger brings is one. */
function firstReads(flow: Flow, reads: readonly number[]): readonly number[] {
  const later = new Set<number>();
  for (const read of reads) {
    if (later.has(read)) continue;
    for (const at of reachedFrom(flow, [read])) if (at !== read) later.add(at);
  }
  return reads.filter((read) => !later.has(read));
}

/** Own writes, and those of a sub-workflow that is run there. */
export function writesAt(flow: Flow, at: number, calls: Calls): readonly Write[] {
  const own = doing(flow, at)?.writes ?? [];
  const called = calls.writesAt(at);
  return called.length === 0 ? own : [...own, ...called];
}

/** True where a repeat adds something, or sends it once more. */
export function isEffect(flow: Flow, at: number, calls: Calls): boolean {
  return writesAt(flow, at, calls).some(({ repeat }) => repeat !== 'same');
}

/** In the flow's order. */
export function effectsAfter(flow: Flow, from: number, calls: Calls): readonly number[] {
  const reached = reachedFrom(flow, [from]);
  return flow.order.filter((at) => at !== from && reached.has(at) && isEffect(flow, at, calls));
}

/** A write to where the read came from. What is sent goes to somebody, not back to the records. */
function isMarkOf(read: Place, write: Write): boolean {
  if (write.repeat === 'leaves') return false;
  if (read.system !== 'http') return isSamePlace(read, write);
  if (write.system !== 'http' || read.base === null || read.base !== write.base) return false;
  // `PATCH /deals/7/stage` is about what `GET /deals` read; a POST elsewhere on the host is not known to be.
  return write.repeat === 'same' || (read.table !== null && `${write.table}/`.startsWith(`${read.table}/`));
}

interface Walk {
  readonly calls: Calls;
  readonly position: ReadonlyMap<number, number>;
}

function waysFrom(flow: Flow, read: number, { calls, position }: Walk): readonly Way[] {
  const places = readsAt(flow, read, calls);
  const isMark = (at: number): boolean =>
    writesAt(flow, at, calls).some((write) => places.some((place) => isMarkOf(place, write)));
  /** Longest way to each node: how many lie between, and where it came from. */
  const far = new Map<number, { steps: number; from: number }>([[read, { steps: 0, from: -1 }]]);
  const found: Into[] = [];
  for (const at of flow.order.slice(position.get(read) ?? 0)) {
    const here = far.get(at);
    if (here === undefined || (at !== read && isMark(at))) continue;
    const counts = at !== read && flow.definition.nodes[at]?.isDisabled !== true ? 1 : 0;
    const steps = here.steps + counts;
    for (const { to } of flow.next[at] ?? []) {
      if (isMark(to)) found.push({ mark: to, last: at, steps });
      if ((far.get(to)?.steps ?? -1) < steps) far.set(to, { steps, from: at });
    }
  }
  const longest = found.toSorted((one, other) => other.steps - one.steps).slice(0, CANDIDATES_MAX);
  return distinct(longest.map((into) => wayInto(read, into, { flow, calls, places, isMark, far })));
}

/** Of the ways into marks those that are looked at closely, longest first. */
const CANDIDATES_MAX = 12;

interface Into {
  readonly mark: number;
  /** The node before it. */
  readonly last: number;
  readonly steps: number;
}

interface Surroundings {
  readonly flow: Flow;
  readonly calls: Calls;
  readonly places: readonly Place[];
  readonly isMark: (at: number) => boolean;
  readonly far: ReadonlyMap<number, { from: number }>;
}

function wayInto(read: number, { mark, last, steps }: Into, surroundings: Surroundings): Way {
  const { flow, calls, places, isMark, far } = surroundings;
  const between = wayBack(flow, last, far);
  // Not only on the longest way: whatever lies between the two, on whichever branch.
  const before = leadingTo(flow, last).add(last);
  const beside = besideWay([read, ...between, mark], surroundings);
  const effects = flow.order.filter((at) => {
    if (at === read || isMark(at) || !isEffect(flow, at, calls)) return false;
    return (far.has(at) && before.has(at)) || beside.has(at);
  });
  if (effects.length === 0 && calls.isEffectBeforeMark(mark, places)) effects.push(mark);
  return { read, mark, steps, between, effects };
}

/** The nodes from behind the read to this one. */
function wayBack(flow: Flow, last: number, far: ReadonlyMap<number, { from: number }>): number[] {
  const between: number[] = [];
  for (let at = last; at >= 0; ) {
    const from = far.get(at)?.from ?? -1;
    if (from >= 0 && flow.definition.nodes[at]?.isDisabled !== true) between.push(at);
    at = from;
  }
  return between.toReversed();
}

/** Of branches that leave one output together n8n runs the upper one to its end first: what lies above the way. */
function besideWay(way: readonly number[], { flow, isMark }: Surroundings): ReadonlySet<number> {
  const above: number[] = [];
  for (const [index, at] of way.entries()) {
    const next = way[index + 1];
    const output = (flow.next[at] ?? []).find(({ to }) => to === next)?.output;
    if (next === undefined || output === undefined) continue;
    for (const target of flow.next[at] ?? [])
      if (target.output === output && target.to !== next && isAbove(flow, target.to, next)) above.push(target.to);
  }
  return above.length === 0 ? NOTHING : reachedFrom(flow, above, isMark);
}

const NOTHING: ReadonlySet<number> = new Set();

function isAbove({ definition }: Flow, one: number, other: number): boolean {
  const [x = 0, y = 0] = definition.nodes[one]?.position ?? [];
  const [otherX = 0, otherY = 0] = definition.nodes[other]?.position ?? [];
  return y < otherY || (y === otherY && x < otherX);
}

/** Ways that differ in nothing that is reported are one; the longest stand first. */
function distinct(ways: readonly Way[]): readonly Way[] {
  const kept = new Map<string, Way>();
  for (const way of ways) {
    const key = `${way.mark} ${way.steps} ${way.effects.length > 0}`;
    if (!kept.has(key)) kept.set(key, way);
  }
  return [...kept.values()].toSorted((one, other) => (other.steps ?? 0) - (one.steps ?? 0)).slice(0, WAYS_MAX);
}
