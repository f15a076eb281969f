/**
 * A lock taken by SQL or by HTTP answers, and the run goes on whatever that says: only what asks for `proceed` behind it
 * keeps a second run out. `… where proceed` is such a question, since without a row n8n goes no further. A claim of given
 * ids answers for each of them, and `owned` has to be asked for likewise.
 */
import { emptyLocks } from '../../graph/empty-locks.ts';
import { doing, type Flow, nameOf, reachedFrom } from '../../graph/flow.ts';
import { type Gate, gatesOf, openFrom, targetsAt } from '../../graph/gates.ts';
import { isEffect } from '../../graph/paths.ts';
import type { Finding } from '../../model/finding.ts';
import { plainType } from '../../n8n-nodes/classify.ts';
import type { NodeFacts } from '../../n8n-nodes/facts.ts';
import { findingOf, named, nodeEvidence, type StaticInput } from './input.ts';

export interface OpenLock {
  readonly lock: number;
  readonly finding: Finding;
}

/** Locks and claims that let through whom they should keep out, by what stands behind them. */
export function openLocks(input: StaticInput): readonly OpenLock[] {
  return [...unasked(input), ...wired(input)];
}

export function unaskedLocks(input: StaticInput): readonly Finding[] {
  return openLocks(input).map(({ finding }) => finding);
}

/** Of one workflow: that are told of, and whose outputs are looked at. */
const LOCKS_MAX = 10;
const GATES_MAX = 200;

function unasked({ flow, calls }: StaticInput): readonly OpenLock[] {
  const gates = gatesOf(flow);
  const locks = flow.order
    .filter((at) => isAnswer(doing(flow, at)?.asks ?? null) && !emptyLocks(flow).has(at))
    .slice(0, LOCKS_MAX);
  return locks.flatMap((lock) => {
    const open = reachedFrom(flow, [lock], (at) => gates.has(at));
    const acting = flow.order.filter((at) => open.has(at) && at !== lock && isEffect(flow, at, calls));
    if (acting.length === 0) return [];
    const finding =
      doing(flow, lock)?.asks === 'owned' ? unaskedClaim(flow, lock, acting) : unaskedLock(flow, lock, acting);
    return [{ lock, finding }];
  });
}

/** Of a counter that nobody asks nothing is known: it may count anything. */
function isAnswer(asks: NodeFacts['asks']): boolean {
  return asks === 'proceed' || asks === 'owned';
}

function unaskedLock(flow: Flow, at: number, acting: readonly number[]): Finding {
  return findingOf({
    rule: 'guard.fails-open',
    severity: 'critical',
    message: `Nothing asks what the lock "${nameOf(flow, at)}" answered before ${named(flow, acting)}: where the lock is held, the run goes on all the same.`,
    evidence: [nodeEvidence(flow, at, 'takes'), ...acting.map((node) => nodeEvidence(flow, node, 'effect'))],
    advice: `Put an IF directly behind "${nameOf(flow, at)}": {{ $json.proceed }} is true goes on, false ends (docs/guides/sql.md#n8n). Always Output Data of the lock stays off.`,
  });
}

function unaskedClaim(flow: Flow, at: number, acting: readonly number[]): Finding {
  return findingOf({
    rule: 'guard.fails-open',
    severity: 'critical',
    message: `Nothing asks which records the claim "${nameOf(flow, at)}" owns before ${named(flow, acting)}: it answers for each of its ids, and those that another run works are worked all the same.`,
    evidence: [nodeEvidence(flow, at, 'claims'), ...acting.map((node) => nodeEvidence(flow, node, 'effect'))],
    advice: `Let "${nameOf(flow, at)}" give the owned ones only (… where owned), or put an IF directly behind it: {{ $json.owned }} is true goes on, false ends.`,
  });
}

/** The work stands where the lock is held: there alone, or there, too. */
function wired(input: StaticInput): readonly OpenLock[] {
  const { flow } = input;
  const found: OpenLock[] = [];
  for (const gate of [...gatesOf(flow).values()].slice(0, GATES_MAX)) {
    if (found.length >= LOCKS_MAX) break;
    const finding = (flow.next[gate.at] ?? []).some(({ output }) => !gate.lets.has(output)) && wiredAt(input, gate);
    const [lock = gate.at] = gate.of;
    if (finding !== false && finding !== null) found.push({ lock, finding });
  }
  return found;
}

function wiredAt(input: StaticInput, gate: Gate): Finding | null {
  const { flow, calls, ways } = input;
  const targets = (isGot: boolean): readonly number[] =>
    targetsAt(flow, gate.at, (output) => gate.lets.has(output) === isGot);
  const got = reachedFrom(flow, targets(true));
  const held = openFrom(flow, targets(false), 'runs');
  const acting = (reached: ReadonlySet<number>): readonly number[] =>
    flow.order.filter((at) => reached.has(at) && isEffect(flow, at, calls));
  const [wanted, unwanted] = [acting(got), acting(held)];
  if (unwanted.length === 0) return null;
  const shared = unwanted.filter((at) => got.has(at));
  const worked = ways.filter(({ read, mark }) => mark !== null && held.has(read));
  // What tells somebody that it was held, or notes it at the end of either way, is no work.
  if (
    shared.length > 0 &&
    (shared.length === wanted.length || worked.some(({ effects }) => effects.some(isIn(shared))))
  )
    return goesOn(flow, gate, shared);
  const isIdle = wanted.length === 0 && !flow.order.some((at) => got.has(at) && mayAct(input, at));
  return isIdle || worked.some(({ mark }) => held.has(mark ?? -1)) ? turned(flow, gate, unwanted) : null;
}

const isIn =
  (list: readonly number[]) =>
  (at: number): boolean =>
    list.includes(at);

function mayAct({ flow }: StaticInput, at: number): boolean {
  const does = doing(flow, at)?.does;
  return does === 'unknown' || does === 'call';
}

function turned(flow: Flow, { at, of, kind }: Gate, wrong: readonly number[]): Finding {
  const [lock = at] = of;
  const state = kind === 'lock' ? 'is held by another run' : 'owns nothing';
  return findingOf({
    rule: 'guard.fails-open',
    severity: 'critical',
    message: `${named(flow, wrong)} stand${wrong.length === 1 ? 's' : ''} at the output of "${nameOf(flow, at)}" where the ${kind} "${nameOf(flow, lock)}" ${state}: the work is done exactly when it must not be.`,
    evidence: evidenceOf(flow, lock, wrong),
    advice: changeOver(flow, at, lock),
  });
}

function changeOver(flow: Flow, at: number, lock: number): string {
  const node = flow.definition.nodes[at];
  if (at === lock || node === undefined) return `Move the work to the first output of "${nameOf(flow, at)}".`;
  const question = doing(flow, lock)?.asks ?? 'proceed';
  return plainType(node) === 'if'
    ? `Change the outputs of "${nameOf(flow, at)}" over: the work belongs where {{ $json.${question} }} is true.`
    : `Move the work to the output of "${nameOf(flow, at)}" that is taken where {{ $json.${question} }} is true.`;
}

function goesOn(flow: Flow, { at, of, kind }: Gate, shared: readonly number[]): Finding {
  const [lock = at] = of;
  return findingOf({
    rule: 'guard.fails-open',
    severity: 'critical',
    message: `${named(flow, shared)} ${shared.length === 1 ? 'is' : 'are'} reached from each output of "${nameOf(flow, at)}": where the ${kind} "${nameOf(flow, lock)}" was not got, the run goes on all the same.`,
    evidence: evidenceOf(flow, lock, shared),
    advice: `Let the output of "${nameOf(flow, at)}" that is taken where it was not got end, or tell somebody and end.`,
  });
}

function evidenceOf(flow: Flow, lock: number, acting: readonly number[]): Finding['evidence'] {
  return [nodeEvidence(flow, lock, 'takes'), ...acting.map((node) => nodeEvidence(flow, node, 'effect'))];
}
