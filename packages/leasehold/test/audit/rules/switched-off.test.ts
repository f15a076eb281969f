/** A workflow that was switched off for a while, where its source knows when: n8n's database does. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Finding, Rule } from '../../../src/audit/model/finding.ts';
import type { RuleContext } from '../../../src/audit/rules/rule.ts';
import { AUDIT_RULES } from '../../../src/audit/rules/rules.ts';
import { everyMs, HOUR, known, MINUTE, runsAt, START, workflow } from '../stage.ts';

const of = (rule: Rule, context: RuleContext): Finding[] =>
  AUDIT_RULES.flatMap((judge) => judge(context)).filter((each) => each.rule === rule);

const STARTS = [...everyMs(HOUR, 50), ...everyMs(HOUR, 50, 53 * HOUR)];
const nowMs = START + 103 * HOUR;

test('slots in a time in which it was switched off are not missed', () => {
  const off = { fromMs: START + 49 * HOUR + MINUTE, untilMs: START + 52 * HOUR + MINUTE };
  assert.equal(of('slot.missed', known(runsAt(STARTS, MINUTE), { nowMs })).length, 1);
  assert.deepEqual(of('slot.missed', known(runsAt(STARTS, MINUTE), { nowMs, offTimes: [off] })), []);
  const shorter = { ...off, untilMs: START + 51 * HOUR };
  assert.equal(of('slot.missed', known(runsAt(STARTS, MINUTE), { nowMs, offTimes: [shorter] })).length, 1);
});

test('a workflow that was switched off a moment ago is not still executing, one that started since is', () => {
  const source = 'postgres://db/n8n';
  const definition = workflow({ isActive: false, source });
  const last = START + 102 * HOUR;
  const context = (fromMs: number): RuleContext =>
    known(runsAt(STARTS, MINUTE), { nowMs, source, definition, offTimes: [{ fromMs, untilMs: null }] });
  assert.deepEqual(of('trigger.duplicate', context(last + MINUTE)), []);
  const [found] = of('trigger.duplicate', context(last - MINUTE));
  assert.match(found?.message ?? '', /^Inactive workflow still executing/);
});
