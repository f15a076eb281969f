/**
 * Where a run can only get through that holds its lock, or has claimed its records. One gate is one node: what holds by
 * itself (our own node, SQL that gives no row), or what asks for the answer of a lock that goes on whatever it says.
 * Everything that takes a guard into account asks here, so that what keeps nobody out counts nowhere.
 */
import { outputsWhereGot } from '../n8n-nodes/asking.ts';
import type { NodeFacts } from '../n8n-nodes/facts.ts';
import { letsFirst } from './counters.ts';
import { type EarlyRelease, earlyReleases } from './early-releases.ts';
import { emptyLocks } from './empty-locks.ts';
import { doing, type Flow, leadingTo, nameOf } from './flow.ts';

export interface Gate {
  readonly at: number;
  /** The locks or claims whose answer it is; itself where it holds by itself. */
  readonly of: readonly number[];
  /** `lock` keeps other runs out, `claim` other runs and this run's own repeat. */
  readonly kind: 'lock' | 'claim';
  /** The outputs that are passed only where it was got. */
  readonly lets: ReadonlySet<number>;
}

/** By node. Kept with the flow: half a dozen rules ask. */
export type Gates = ReadonlyMap<number, Gate>;

const known = new WeakMap<Flow, Gates>();

export function gatesOf(flow: Flow): Gates {
  const before = known.get(flow);
  if (before !== undefined) return before;
  const gates = findGates(flow);
  known.set(flow, gates);
  return gates;
}

/** Locks whose answer is looked for, and nodes that may ask; further ones of one workflow count as open. */
const LOCKS_MAX = 20;
const ASKING_MAX = 100;
const FIRST: ReadonlySet<number> = new Set([0]);

function findGates(flow: Flow): Gates {
  const gates = new Map<number, Gate>();
  const open: number[] = [];
  const empty = emptyLocks(flow);
  for (const at of flow.order) {
    const facts = doing(flow, at);
    const kind = kindOf(facts);
    if (kind === null || empty.has(at)) continue;
    if (facts?.asks !== null) open.push(at);
    else gates.set(at, { at, of: [at], kind, lets: FIRST });
  }
  if (open.length === 0) return gates;
  const locks = new Set(open.slice(0, LOCKS_MAX));
  const asking = flow.order.filter((at) => doing(flow, at)?.does === 'transform' && (flow.next[at] ?? []).length > 0);
  for (const at of asking.filter((each) => ASKS.test(doing(flow, each)?.label ?? '')).slice(0, ASKING_MAX)) {
    const gate = gates.has(at) ? null : asked(flow, at, locks);
    if (gate !== null) gates.set(at, gate);
  }
  return gates;
}

/** Labels of nodes that may choose: of these the plain type. */
const ASKS = /^(?:if|filter|switch|code)$/;

export function kindOf(facts: NodeFacts | null): Gate['kind'] | null {
  if (facts?.guard === 'lock' || facts?.asks === 'first') return 'lock';
  return facts?.guard === 'claim' || facts?.guard === 'sql-claim' ? 'claim' : null;
}

function asked(flow: Flow, at: number, locks: ReadonlySet<number>): Gate | null {
  const node = flow.definition.nodes[at];
  if (node === undefined) return null;
  const found: { lock: number; lets: ReadonlySet<number> }[] = [];
  for (const lock of leadingTo(flow, at)) {
    const question = locks.has(lock) ? (doing(flow, lock)?.asks ?? null) : null;
    if (question === null) continue;
    const lets =
      question === 'first' ? letsFirst(flow, lock, at) : outputsWhereGot(node, { question, node: nameOf(flow, lock) });
    if (lets.size > 0) found.push({ lock, lets });
  }
  const [first] = found;
  if (first === undefined) return null;
  const isClaim = found.some(({ lock }) => kindOf(doing(flow, lock)) === 'claim');
  return { at, of: found.map(({ lock }) => lock), kind: isClaim ? 'claim' : 'lock', lets: first.lets };
}

/** True for a lock or claim that something keeps: its own output, or what asks for its answer. */
export function holds(flow: Flow, lock: number): boolean {
  return [...gatesOf(flow).values()].some((gate) => gate.of.includes(lock));
}

/**
 * What is reached without passing a gate where it was got: `runs` by another run that starts meanwhile, `repeats` by
 * this run's own repeat, too. A node that holds by itself is not among them.
 */
export function unguarded(flow: Flow, against: 'runs' | 'repeats'): ReadonlySet<number> {
  const open = openFrom(flow, flow.starts, against);
  if (against === 'repeats') return open;
  // Where a lock was given back too early, what follows is open again, as far as no other one holds.
  const all = new Set(open);
  for (const { from, without } of freedAll(flow)) {
    const again = [...openFrom(flow, from, against)].filter((at) => without.has(at));
    for (const at of again) all.add(at);
  }
  return all;
}

/** Releases that are too early, and leave no other lock held; with all that is reached when neither is. */
export function freedAll(flow: Flow): readonly (EarlyRelease & { readonly without: ReadonlySet<number> })[] {
  const early = earlyReleases(flow);
  return early.flatMap((each) => {
    const before = leadingTo(flow, each.release);
    const freed = new Set([each.lock, ...early.filter(({ release }) => before.has(release)).map(({ lock }) => lock)]);
    const without = openFrom(flow, flow.starts, 'runs', freed);
    return without.has(each.release) ? [{ ...each, without }] : [];
  });
}

/** The same from these nodes on. */
export function openFrom(
  flow: Flow,
  starts: readonly number[],
  against: 'runs' | 'repeats',
  without?: ReadonlySet<number>,
): ReadonlySet<number> {
  const gates = gatesOf(flow);
  const gateAt = (at: number): Gate | null => {
    const gate = gates.get(at) ?? null;
    const counts = gate !== null && (gate.kind === 'claim' || against === 'runs');
    return counts && !gate.of.some((lock) => without?.has(lock) === true) ? gate : null;
  };
  const reached = new Set<number>();
  const waiting = [...starts];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (reached.has(at)) continue;
    reached.add(at);
    const gate = gateAt(at);
    for (const { to, output } of flow.next[at] ?? []) if (gate?.lets.has(output) !== true) waiting.push(to);
  }
  for (const at of reached) if (gateAt(at)?.of.includes(at) === true) reached.delete(at);
  return reached;
}

/** What is reached from these outputs of a node. */
export function targetsAt(flow: Flow, at: number, takes: (output: number) => boolean): readonly number[] {
  return (flow.next[at] ?? []).filter(({ output }) => takes(output)).map(({ to }) => to);
}
