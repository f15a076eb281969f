import type { Calls } from '../../graph/calls.ts';
import { doing, type Flow, nameOf } from '../../graph/flow.ts';
import type { Way } from '../../graph/paths.ts';
import type { Evidence, Finding } from '../../model/finding.ts';
import type { FoundSchedule } from '../../model/schedule.ts';
import { quoted } from '../../quoted.ts';
import { redact } from '../../redact.ts';

/** What a rule about a definition is given; rules are pure, and none knows another. */
export interface StaticInput {
  readonly flow: Flow;
  readonly calls: Calls;
  readonly ways: readonly Way[];
  readonly schedule: FoundSchedule | null;
}

const EVIDENCE_MAX = 20;
const NAMED_MAX = 4;

/** Names come from the file, and people write anything into them. */
export function findingOf(finding: Finding): Finding {
  return {
    ...finding,
    message: redact(finding.message),
    advice: redact(finding.advice),
    evidence: finding.evidence.slice(0, EVIDENCE_MAX).map(withoutSecrets),
  };
}

function withoutSecrets(evidence: Evidence): Evidence {
  return Object.fromEntries(
    Object.entries(evidence).map(([name, value]) => [name, typeof value === 'string' ? redactName(value) : value]),
  );
}

/** Names come again in each finding, and ten thousand workflows name things alike. */
const NAMES_MAX = 5_000;
const known = new Map<string, string>();

function redactName(name: string): string {
  const before = known.get(name);
  if (before !== undefined) return before;
  if (known.size >= NAMES_MAX) known.clear();
  const redacted = redact(name);
  known.set(name, redacted);
  return redacted;
}

/** `"A"`, or `"A", "B" and 3 more`. */
export function named(flow: Flow, nodes: readonly number[]): string {
  return quoted(
    nodes.map((at) => nameOf(flow, at)),
    NAMED_MAX,
  );
}

/** `{"node": …, "does": "gmail message/send"}`, with its part in the finding. */
export function nodeEvidence(flow: Flow, at: number, part: string): Evidence {
  return { node: nameOf(flow, at), does: doing(flow, at)?.label ?? '', part };
}

/** Nodes that may do anything, for findings that would not hold if they did. */
export function unknownNodes({ flow, calls }: StaticInput, reached: ReadonlySet<number>): readonly number[] {
  return flow.order.filter(
    (at) => reached.has(at) && (doing(flow, at)?.does === 'unknown' || calls.unknown.includes(at)),
  );
}
