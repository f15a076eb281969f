import type { Evidence, Finding, Severity } from '../../model/finding.ts';
import type { FoundPath } from '../../model/workflow.ts';
import { redact } from '../../redact.ts';
import type { LineStep } from './line-step.ts';

/**
 * What a line of steps tells of the time between reading records and marking them, on platforms whose definitions are lines:
 * Make's modules and Zapier's steps. What a step does is told by the words of its action alone, so nothing here is critical,
 * and what has no known word counts for nothing.
 */

/** How a platform calls things, and what is to be done there. */
export interface LineWords {
  /** `module`, `step`. */
  readonly step: string;
  readonly claim: string;
}

export interface LineFound {
  readonly paths: readonly FoundPath[];
  readonly findings: readonly Finding[];
}

interface LineWay {
  readonly read: LineStep;
  readonly mark: LineStep | null;
  readonly between: readonly LineStep[];
  readonly effects: readonly LineStep[];
}

/** `steps` in the order in which they run. */
export function lineFound(steps: readonly LineStep[], words: LineWords): LineFound {
  const way = wayOf(steps);
  if (way === null) return { paths: [], findings: [] };
  const { read, mark, between, effects } = way;
  const path: FoundPath = {
    read: redact(read.label),
    firstWrite: mark === null ? null : redact(mark.label),
    steps: mark === null ? null : between.length,
    effectBeforeMark: mark !== null && effects.length > 0,
  };
  const findings = [readToWrite(way, words), effectBeforeMark(way, words), noStatusWrite(way, words)];
  return { paths: [path], findings: findings.filter((finding) => finding !== null) };
}

/** From the first list of records that nothing of ours stands before; null where none is read, or it is guarded. */
function wayOf(steps: readonly LineStep[]): LineWay | null {
  const at = steps.findIndex(({ does }) => does === 'read');
  const read = steps[at];
  if (read === undefined || steps.slice(0, at).some(({ does }) => does === 'ours')) return null;
  const behind = steps.slice(at + 1);
  const guarded = behind.findIndex(({ does }) => does === 'ours');
  const open = guarded < 0 ? behind : behind.slice(0, guarded);
  const markAt = open.findIndex(({ does, app }) => does === 'mark' && app === read.app);
  const mark = open[markAt] ?? null;
  if (mark === null && guarded >= 0) return null;
  const between = mark === null ? open : open.slice(0, markAt);
  return { read, mark, between, effects: between.filter(({ does }) => does === 'effect') };
}

function readToWrite({ read, mark, between }: LineWay, { step, claim }: LineWords): Finding | null {
  if (mark === null || between.length === 0) return null;
  const lies = between.length === 1 ? `lies 1 ${step}` : `lie ${between.length} ${step}s`;
  return foundBy('window.read-to-write', 'warning', {
    message: `Between "${read.label}" and the first status write, "${mark.label}", ${lies}: a run that starts in that time reads the same records and works them too.`,
    evidence: [
      evidenceOf(read, 'reads'),
      ...between.map((each) => evidenceOf(each, 'between')),
      evidenceOf(mark, 'marks'),
    ],
    advice: claim,
  });
}

function effectBeforeMark({ read, mark, effects }: LineWay, { claim }: LineWords): Finding | null {
  const [first] = effects;
  if (mark === null || first === undefined) return null;
  return foundBy('window.effect-before-mark', 'warning', {
    message: `"${first.label}" comes before the mark, "${mark.label}": a run that stops between the two is followed by one that does it again.`,
    evidence: [
      evidenceOf(read, 'reads'),
      ...effects.map((each) => evidenceOf(each, 'effect')),
      evidenceOf(mark, 'marks'),
    ],
    advice: claim,
  });
}

function noStatusWrite({ read, mark, effects }: LineWay, { claim }: LineWords): Finding | null {
  const [first] = effects;
  if (mark !== null || first === undefined) return null;
  return foundBy('window.no-status-write', 'info', {
    message: `No status write was recognised: where nothing marks what "${read.label}" reads, the next run reads the same records and does "${first.label}" for them again.`,
    evidence: [evidenceOf(read, 'reads'), ...effects.map((each) => evidenceOf(each, 'effect'))],
    advice: claim,
  });
}

function foundBy(
  rule: Finding['rule'],
  severity: Severity,
  { message, evidence, advice }: Pick<Finding, 'message' | 'evidence' | 'advice'>,
): Finding {
  return { rule, severity, message: redact(message), evidence, advice };
}

function evidenceOf({ label, action }: LineStep, part: string): Evidence {
  return { step: redact(label), action: redact(action), is: part };
}
