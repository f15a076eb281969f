import type { Finding } from '../../model/finding.ts';
import type { RuleContext } from '../rule.ts';

/**
 * Histories of two installations whose workflows have the same ids (staging and production, two schemas of one database) look
 * like one workflow that starts twice. Ids of runs tell it: each installation counts its own, so that many of them stand for two
 * runs. What rests on such a mixture is no finding, and that it is one has to be known before anything else is.
 */
const OF_STARTS: ReadonlySet<Finding['rule']> = new Set([
  'overlap.observed',
  'overlap.predicted',
  'trigger.duplicate',
  'slot.missed',
  'run.stuck',
]);
/** One id in so many may be a fault of an export. */
const CLASHING_SHARE = 0.05;
const CLASHING_MIN = 3;

export function isMixed({ subject, history }: RuleContext): boolean {
  const clashing = subject.group?.clashing ?? 0;
  return clashing >= CLASHING_MIN && clashing >= CLASHING_SHARE * history.figures.runs;
}

/** The findings of one workflow, as they count where installations are mixed; as they are where none are. */
export function ofMixture(context: RuleContext, findings: readonly Finding[]): readonly Finding[] {
  if (!isMixed(context)) return findings;
  return findings.map((finding) => {
    if (finding.rule === 'history.incomplete') return { ...finding, severity: 'warning', advice: APART };
    if (finding.severity === 'info' || !OF_STARTS.has(finding.rule)) return finding;
    return { ...finding, severity: 'info', message: `${finding.message} ${MIXED}` };
  });
}

const APART =
  'Audit each installation by itself, one call for each: mixed, their runs look like one workflow that starts twice.';
const MIXED = 'Runs of two installations are mixed here, so that it may not be so.';
