/**
 * A row of a table that is taken for a lock: one node reads whether it is set, something chooses by that, the next one
 * sets it, and then the work begins. To all rules it is a flag and no record: what it is guarded by, or marked with, it
 * isn't.
 */
import { isSamePlace, type NodeFacts } from '../n8n-nodes/facts.ts';
import { type FlagRow, flagRowOf } from '../n8n-nodes/flag-row.ts';
import { withCounters } from './counters.ts';
import { doing, type Flow, reachedFrom } from './flow.ts';

/** Reads of one workflow that are looked at. */
const READS_MAX = 50;

export function withFlags(flow: Flow): Flow {
  const facts = [...flow.facts];
  const rows: Rows = new Map();
  let found = 0;
  for (const read of flow.order.filter((at) => isOfOneTable(doing(flow, at))).slice(0, READS_MAX)) {
    const sets = settersOf(flow, read, rows);
    if (sets.length === 0) continue;
    found += 1;
    change(facts, read, { guard: 'flag-get', bound: 'limited', isLookup: true });
    for (const set of sets) change(facts, set, { guard: 'flag-set' });
  }
  return withCounters(found === 0 ? flow : { ...flow, facts });
}

function change(facts: NodeFacts[], at: number, to: Partial<NodeFacts>): void {
  const own = facts[at];
  if (own !== undefined) facts[at] = { ...own, reads: [], writes: [], ...to };
}

function isOfOneTable(facts: NodeFacts | null): boolean {
  return facts?.does === 'read' && facts.guard === null && facts.reads.length === 1 && facts.reads[0]?.table !== null;
}

/** What nodes read or write, each looked at once: what stands in them may be long. */
type Rows = Map<number, FlagRow | null>;

function rowAt({ definition }: Flow, at: number, rows: Rows): FlagRow | null {
  const known = rows.get(at);
  if (known !== undefined) return known;
  const node = definition.nodes[at];
  const row = node === undefined ? null : flagRowOf(node);
  rows.set(at, row);
  return row;
}

interface Setter extends FlagRow {
  readonly at: number;
}

/** Writes to the row that this reads; empty where it is none that guards. */
function settersOf(flow: Flow, read: number, rows: Rows): readonly number[] {
  const place = doing(flow, read)?.reads[0];
  const row = rowAt(flow, read, rows);
  if (place === undefined || row === null) return [];
  const after = reachedFrom(flow, [read]);
  const setters = flow.order.flatMap((at): readonly Setter[] => {
    const writes = after.has(at) ? (doing(flow, at)?.writes ?? []) : [];
    if (writes.length === 0 || doing(flow, at)?.guard !== null) return [];
    const isThere = writes.every((write) => write.table !== null && isSamePlace(place, write));
    const written = isThere ? rowAt(flow, at, rows) : null;
    return written === null || !isSameRow(row, written) ? [] : [{ at, ...written }];
  });
  const [first] = setters;
  if (first === undefined || !isAsked(flow, read, { row, setters })) return [];
  const names = [place.table ?? '', ...setters.flatMap(({ sets }) => [...sets.keys()])];
  const isNamed = names.some((name) => FLAG.test(name));
  return isNamed || isReset(setters) ? setters.map(({ at }) => at) : [];
}

/** What such tables and columns are called. */
const FLAG =
  /(?:^|[^a-z])(?:is_?)?(?:(?:un)?locks?|locked|mutex(?:es)?|semaphores?|busy|running|in_?progress|processing|flags?)(?:$|[^a-z])/i;
/** Columns of which a row has one value of its own. */
const ID = /(?:^|[_.])(?:id|key|name|job|task|workflow|process|lock)$/;

/** Set to one constant, and to another one later. */
function isReset(setters: readonly Setter[]): boolean {
  const [first] = setters;
  if (first === undefined || ![...first.keys.keys()].some((column) => ID.test(column))) return false;
  return [...first.sets].some(([column, value]) =>
    setters.some(({ sets }) => sets.has(column) && sets.get(column) !== value),
  );
}

/** Found by the same constants, as far as they are known: a form may find its row in other ways. */
function isSameRow(read: FlagRow, written: FlagRow): boolean {
  if (read.sql === null || written.sql === null)
    return [...written.keys].every(([column, value]) => (read.keys.get(column) ?? value) === value);
  if (/^insert\b/.test(written.sql)) return true;
  const keys = [...written.keys].filter(([column]) => !written.sets.has(column));
  if (keys.length === 0) return !/\bwhere\b/.test(written.sql) && !/\bwhere\b/.test(read.sql);
  return keys.every(([column, value]) => read.keys.get(column) === value);
}

/** Nothing but choosing lies between the read and the first that sets it, and something does choose. */
function isAsked(
  flow: Flow,
  read: number,
  { row, setters }: { readonly row: FlagRow; readonly setters: readonly Setter[] },
): boolean {
  // `… where id = 1 and running = false`: without a row n8n goes no further.
  const asksItself = setters.some(({ sets }) => [...sets.keys()].some((column) => row.keys.has(column)));
  const isSetter = (at: number): boolean => setters.some((setter) => setter.at === at);
  const waiting = (flow.next[read] ?? []).map(({ to }) => ({ to, isChosen: false }));
  const seen = new Set<number>();
  for (let each = waiting.pop(); each !== undefined; each = waiting.pop()) {
    const { to } = each;
    if (isSetter(to) && (each.isChosen || asksItself)) return true;
    const facts = doing(flow, to);
    const isChosen = each.isChosen || CHOOSES.test(facts?.label ?? '');
    // Each node is gone through at most twice: before something chose, and after.
    const state = 2 * to + Number(isChosen);
    if (seen.has(state) || (facts !== null && facts.does !== 'transform')) continue;
    seen.add(state);
    waiting.push(...(flow.next[to] ?? []).map((target) => ({ to: target.to, isChosen })));
  }
  return false;
}

const CHOOSES = /^(?:if|filter|switch|code)$/;
