import type { Finding, Rule } from '../../../src/audit/model/finding.ts';
import type { FoundWorkflow } from '../../../src/audit/model/workflow.ts';
import { readCrontab } from '../../../src/audit/readers/crontab/read-crontab.ts';

export interface Read {
  readonly workflows: readonly FoundWorkflow[];
  /** `path: sentence`. */
  readonly unread: readonly string[];
}

/** Reads a crontab, given as its text or its lines. */
export function read(text: string | readonly string[], path = 'crontab'): Read {
  const workflows: FoundWorkflow[] = [];
  const unread: string[] = [];
  readCrontab(path, typeof text === 'string' ? text : text.join('\n'), {
    run: () => undefined,
    limit: () => undefined,
    workflow: (workflow) => workflows.push(workflow),
    unread: (where, reason) => unread.push(`${where}: ${reason}`),
  });
  return { workflows, unread };
}

/** The only workflow of these lines. */
export function only(...lines: readonly string[]): FoundWorkflow {
  const [workflow, ...others] = read(lines).workflows;
  if (workflow === undefined || others.length > 0) throw new Error(`${others.length + 1} workflows`);
  return workflow;
}

/** What is found about a command that starts every five minutes. */
export const about = (command: string): readonly Finding[] => only(`*/5 * * * * ${command}`).findings;

export function messages(findings: readonly Finding[], rule: Rule): string[] {
  return findings.filter((finding) => finding.rule === rule).map(({ severity, message }) => `${severity}: ${message}`);
}

export const rules = (findings: readonly Finding[]): Rule[] => findings.map(({ rule }) => rule);
