/**
 * A lock taken by SQL answers in a row, and the run goes on whatever that says: only what asks for `proceed` behind it
 * keeps a second run out. `… where proceed` is such a question, since without a row n8n goes no further.
 */
import { plainType } from '../../n8n-nodes/classify.ts';
import { textIn } from '../../n8n-nodes/values.ts';
import { doing, type Flow, nameOf, reachedFrom } from '../../graph/flow.ts';
import { isEffect } from '../../graph/paths.ts';
import type { Finding } from '../../model/finding.ts';
import { type Fields, fieldsOf, isFields, listOf, textOf } from '../../readers/n8n-workflow/definition.ts';
import { findingOf, named, nodeEvidence, type StaticInput } from './input.ts';

const ACQUIRES = /\bleasehold\.acquire\s*\(/i;
const PROCEEDS = /\bproceed\b(?!\s*(?:=|is)\s*(?:false|not\b))/i;
const ASKED = /\b(?:proceed|outcome)\b/;

export function unaskedLocks(input: StaticInput): readonly Finding[] {
  const { flow, calls } = input;
  const locks = flow.order.filter((at) => takesBySql(flow, at)).slice(0, LOCKS_MAX);
  return locks.flatMap((at) => {
    const asking = (node: number): boolean => node !== at && asks(flow, node);
    const open = reachedFrom(flow, [at], asking);
    const acting = flow.order.filter((node) => open.has(node) && node !== at && isEffect(flow, node, calls));
    if (acting.length > 0) return [unasked(flow, at, acting)];
    return [...open].filter(asking).flatMap((node) => wronglyWired(input, at, node));
  });
}

/** Of one workflow. */
const LOCKS_MAX = 10;

function takesBySql(flow: Flow, at: number): boolean {
  const { parameters } = flow.definition.nodes[at] ?? {};
  const query = textOf(parameters?.['query']) ?? '';
  if (doing(flow, at)?.guard !== 'lock' || !ACQUIRES.test(query)) return false;
  return !asksItself(query) || flow.definition.nodes[at]?.alwaysOutputs === true;
}

function asksItself(query: string): boolean {
  return query.split(';').some((statement) => {
    const where = statement.search(/\bwhere\b/i);
    return where >= 0 && PROCEEDS.test(statement.slice(where));
  });
}

/** A node that chooses by the answer; code that speaks of it is believed. */
function asks(flow: Flow, at: number): boolean {
  const node = flow.definition.nodes[at];
  if (node === undefined || node.isDisabled || doing(flow, at)?.does !== 'transform') return false;
  return (
    /^(?:if|filter|switch|code|function|stopAndError)$/.test(plainType(node)) && ASKED.test(textIn(node.parameters))
  );
}

function unasked(flow: Flow, at: number, acting: readonly number[]): Finding {
  return findingOf({
    rule: 'guard.fails-open',
    severity: 'critical',
    message: `Nothing asks what the lock "${nameOf(flow, at)}" answered before ${named(flow, acting)}: where the lock is held, the run goes on all the same.`,
    evidence: [nodeEvidence(flow, at, 'takes'), ...acting.map((node) => nodeEvidence(flow, node, 'effect'))],
    advice: `Put an IF directly behind "${nameOf(flow, at)}": {{ $json.proceed }} is true goes on, false ends (docs/guides/sql.md#n8n). Always Output Data of the lock stays off.`,
  });
}

/** The work stands where the lock is held, and nothing stands where it was got. */
function wronglyWired({ flow, calls }: StaticInput, lock: number, at: number): readonly Finding[] {
  const node = flow.definition.nodes[at];
  if (node === undefined || plainType(node) !== 'if') return [];
  const got = outputWhereGot(node.parameters);
  if (got === null) return [];
  const effectsAt = (output: number): readonly number[] => {
    const targets = (flow.next[at] ?? []).filter((target) => target.output === output).map(({ to }) => to);
    const reached = reachedFrom(flow, targets);
    return flow.order.filter((to) => reached.has(to) && isEffect(flow, to, calls));
  };
  const wrong = effectsAt(1 - got);
  if (wrong.length === 0 || effectsAt(got).length > 0) return [];
  return [
    findingOf({
      rule: 'guard.fails-open',
      severity: 'critical',
      message: `${named(flow, wrong)} stand${wrong.length === 1 ? 's' : ''} at the output of "${nameOf(flow, at)}" where the lock "${nameOf(flow, lock)}" is held by another run: the work is done exactly when it must not be.`,
      evidence: [nodeEvidence(flow, lock, 'takes'), ...wrong.map((to) => nodeEvidence(flow, to, 'effect'))],
      advice: `Change the outputs of "${nameOf(flow, at)}" over: the work belongs where {{ $json.proceed }} is true.`,
    }),
  ];
}

/** Which output of an IF has the runs that got the lock; null where its conditions are more than one on `proceed`. */
function outputWhereGot(parameters: Fields): 0 | 1 | null {
  const conditions = fieldsOf(parameters['conditions']);
  const [only, ...others] = [...listOf(conditions['conditions']), ...listOf(conditions['boolean'])];
  if (!isFields(only) || others.length > 0) return null;
  const left = textOf(only['leftValue'] ?? only['value1']) ?? '';
  if (!/\bproceed\b/.test(left)) return null;
  const operator = isFields(only['operator']) ? only['operator']['operation'] : only['operation'];
  const words = textOf(operator) ?? 'equal';
  const right = only['rightValue'] ?? only['value2'] ?? true;
  const isUnary = words === 'true' || words === 'false';
  const flips = [
    /^(?:false|not)/i.test(words),
    !isUnary && (right === false || /^=?\s*(?:\{\{\s*)?false/.test(textOf(right) ?? '')),
    left.includes('!'),
  ];
  return flips.filter(Boolean).length % 2 === 0 ? 0 : 1;
}
