/** What the rules find in a history. */
import assert from 'node:assert/strict';
import type { Finding, Rule } from '../../src/audit/model/finding.ts';
import type { RuleContext } from '../../src/audit/rules/rule.ts';
import { AUDIT_RULES } from '../../src/audit/rules/rules.ts';

const findings = (context: RuleContext): Finding[] => AUDIT_RULES.flatMap((rule) => rule(context));
/** All findings of this rule. */
export const of = (rule: Rule, context: RuleContext): Finding[] =>
  findings(context).filter((each) => each.rule === rule);
/** The rules that are more than a note. */
export const severe = (context: RuleContext): string[] =>
  findings(context)
    .filter(({ severity }) => severity !== 'info')
    .map(({ rule }) => rule);

/** The one finding of this rule. */
export function one(rule: Rule, context: RuleContext): Finding {
  const found = of(rule, context);
  assert.equal(found.length, 1, found.map(({ message }) => message).join('\n'));
  return found[0] as Finding;
}
