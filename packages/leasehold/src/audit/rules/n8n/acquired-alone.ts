import { type Flow, nameOf } from '../../graph/flow.ts';
import { type Gate, gatesOf } from '../../graph/gates.ts';
import type { Finding } from '../../model/finding.ts';
import { textIn } from '../../n8n-nodes/values.ts';
import { findingOf, nodeEvidence, type StaticInput } from './input.ts';

/** Of one workflow. */
const GATES_MAX = 10;

/** After a crash the outcome is "reclaimed": who waits for "acquired" has the lock then, and does nothing. */
export function acquiredAlone({ flow }: StaticInput): readonly Finding[] {
  return [...gatesOf(flow).values()]
    .filter((gate) => gate.kind === 'lock' && !gate.of.includes(gate.at) && asksForAcquired(flow, gate))
    .slice(0, GATES_MAX)
    .map(({ at, of }) => {
      const [lock = at] = of;
      return findingOf({
        rule: 'guard.fails-open',
        severity: 'warning',
        message: `"${nameOf(flow, at)}" goes on only where the outcome of "${nameOf(flow, lock)}" is "acquired": after a run that crashed it is "reclaimed", and then the lock is taken, nothing is done, and every start until it expires is skipped.`,
        evidence: [nodeEvidence(flow, lock, 'takes'), nodeEvidence(flow, at, 'asks')],
        advice: `Let "${nameOf(flow, at)}" ask whether {{ $json.proceed }} is true.`,
      });
    });
}

function asksForAcquired(flow: Flow, { at }: Gate): boolean {
  const text = textIn(flow.definition.nodes[at]?.parameters ?? {});
  return /\boutcome\b/.test(text) && /\bacquired\b/.test(text) && !/\bproceed\b|\breclaimed\b/.test(text);
}
