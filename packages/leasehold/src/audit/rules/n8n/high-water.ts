import { codeOf } from '../../n8n-nodes/code.ts';
import { textIn } from '../../n8n-nodes/values.ts';
import { doing, leadingTo, nameOf, reachedFrom } from '../../graph/flow.ts';
import { isEffect } from '../../graph/paths.ts';
import type { Finding } from '../../model/finding.ts';
import { type N8nNode, textOf } from '../../readers/n8n-workflow/definition.ts';
import { findingOf, nodeEvidence, type StaticInput } from './input.ts';
import { CLAIM } from './steps.ts';

/** Of one workflow. */
const READS_MAX = 10;
/** A window of time counted from now, or an instant kept from the last run. */
const FROM_NOW =
  /\$now\s*\.\s*minus|\$today\b|DateTime\.(?:now|utc|local)\(\)\s*\.\s*minus|Date\.now\(\)\s*-|now\(\)\s*-\s*interval|(?:current_timestamp|getdate\(\)|now\(\))\s*-|dateadd\s*\(|date_sub\s*\(|newer_than:|interval\s+'/i;
const LAST_RUN = /last_?(?:run|check|sync|poll|execution|processed|fetch|seen)|staticData|\$getWorkflowStaticData/i;

/**
 * What is read is chosen by time alone, and nothing marks it: a record that becomes visible late falls between two
 * windows, and one that two windows hold is worked twice.
 */
export function highWaterMark(input: StaticInput): readonly Finding[] {
  const { flow, calls } = input;
  const marked = new Set(input.ways.filter(({ mark }) => mark !== null).map(({ read }) => read));
  return flow.order
    .filter((at) => doing(flow, at)?.does === 'read' && !marked.has(at) && readsByTime(input, at))
    .slice(0, READS_MAX)
    .filter((at) => [...reachedFrom(flow, [at])].some((node) => node !== at && isEffect(flow, node, calls)))
    .map((at) => {
      const memory = memoryOf(input, at);
      const source =
        memory === null
          ? 'a window counted from now'
          : `the time that "${nameOf(flow, memory)}" keeps from the last run`;
      return findingOf({
        rule: 'window.high-water-mark',
        severity: 'warning',
        message: `"${nameOf(flow, at)}" chooses what to read by ${source}: what becomes visible late is never read, and after a failed, late or double run the same records come twice.`,
        evidence: [
          nodeEvidence(flow, at, 'reads'),
          ...(memory === null ? [] : [nodeEvidence(flow, memory, 'keeps the time')]),
        ],
        advice: `Read with an overlap (twice the interval) in "${nameOf(flow, at)}" and put ${CLAIM} after it: it hands out each record once, however often it is read.`,
      });
    });
}

function keepsTime(node: N8nNode | undefined): boolean {
  return node !== undefined && !node.isDisabled && codeOf(node.parameters).remembers === 'time';
}

function readsByTime(input: StaticInput, at: number): boolean {
  const node = input.flow.definition.nodes[at];
  if (node === undefined) return false;
  if ((input.flow.next[at] ?? []).some(({ to }) => keepsTime(input.flow.definition.nodes[to]))) return true;
  const text = textIn(node.parameters);
  if (FROM_NOW.test(text) || LAST_RUN.test(text)) return true;
  return /[Rr]ecently(?:Created|Modified)/.test(textOf(node.parameters['operation']) ?? '');
}

/** Code before the read, or directly behind it, that keeps an instant in static data. */
function memoryOf({ flow }: StaticInput, at: number): number | null {
  const near = leadingTo(flow, at);
  for (const { to } of flow.next[at] ?? []) near.add(to);
  return flow.order.find((node) => near.has(node) && keepsTime(flow.definition.nodes[node])) ?? null;
}
