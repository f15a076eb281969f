import type { Finding } from './model/finding.ts';
import type { AuditedWorkflow } from './model/report.ts';
import type { FoundWorkflow } from './model/workflow.ts';
import { isStillExecuting } from './rules/history/trigger-duplicate.ts';
import { OFF_WORDS } from './words.ts';

/** Whether it is on, as far as its definition and its runs agree. */
export function stateOf(definition: FoundWorkflow | null, findings: readonly Finding[]): AuditedWorkflow['state'] {
  if (definition?.off !== undefined) return findings.some(isStillExecuting) ? null : definition.off;
  return definition?.isActive === true ? 'on' : null;
}

/** What was found of a workflow that is off hurts nobody now: a note, with what it would be. */
export function asOf(state: AuditedWorkflow['state'], finding: Finding): Finding {
  if (finding.severity === 'info' || (state !== 'off' && state !== 'archived')) return finding;
  const would = finding.severity === 'critical' ? 'critical' : 'a warning';
  return {
    ...finding,
    severity: 'info',
    message: `${finding.message} It is ${OFF_WORDS[state]}: switched on, this would be ${would}.`,
    evidence: [...finding.evidence.slice(0, EVIDENCE_MAX - 1), { switchedOff: true, severityIfOn: finding.severity }],
  };
}

const EVIDENCE_MAX = 20;
