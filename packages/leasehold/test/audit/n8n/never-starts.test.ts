/** Workflows of n8n that nothing starts, and rules that n8n takes for others, word for word. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { auditOf, type Drawing, type Drawn, findingsOf, HOURLY } from './build.ts';
import { CLAIM, MAIL } from './parts.ts';

const saidOf = (drawing: Drawing): string[] =>
  findingsOf(drawing, 'schedule.never-fires').map(({ severity, message }) => `${severity}: ${message}`);

const OFF: Drawn = { ...HOURLY, disabled: true };
const MANUAL: Drawn = { type: 'manualTrigger' };
const alone = (nodes: Drawing['nodes'], more: Record<string, unknown> = {}): Drawing => ({
  nodes: { ...nodes, Mail: MAIL },
  flow: `${Object.keys(nodes).at(-1) ?? ''} > Mail`,
  ...more,
});

describe('a workflow that is switched on and nothing starts', () => {
  it('is worth knowing where its only trigger is switched off', () => {
    const drawing = alone({ Clock: OFF });
    assert.deepEqual(saidOf(drawing), ['info: "Clock" is switched off: nothing starts this workflow.']);
    const [finding] = findingsOf(drawing, 'schedule.never-fires');
    assert.match(
      finding?.advice ?? '',
      /^If it should run by itself, switch "Clock" on again, with a Leasehold guard /,
    );
    assert.deepEqual(finding?.evidence, [{ node: 'Clock', does: 'scheduleTrigger', part: 'is switched off' }]);
    assert.deepEqual(saidOf(alone({ Clock: OFF, More: OFF })), [
      'info: "Clock", "More" are switched off: nothing starts this workflow.',
    ]);
  });

  it('is worth knowing where it has a trigger for the editor only', () => {
    assert.deepEqual(saidOf(alone({ Start: MANUAL })), [
      'info: This workflow is switched on, and only "Start" starts this workflow, by hand.',
    ]);
    assert.deepEqual(saidOf(alone({ Clock: OFF, Start: MANUAL })), [
      'info: "Clock" is switched off: only "Start" starts this workflow, by hand.',
    ]);
  });

  it('is none that is switched off itself, is called by others, or may have a trigger that nobody knows', () => {
    assert.deepEqual(saidOf(alone({ Start: MANUAL }, { active: false })), []);
    assert.deepEqual(saidOf(alone({ Clock: OFF }, { active: false })), []);
    assert.deepEqual(saidOf(alone({ Called: { type: 'executeWorkflowTrigger' } })), []);
    assert.deepEqual(saidOf(alone({ Hook: { type: 'webhook' }, Start: MANUAL })), []);
    assert.deepEqual(saidOf(alone({ Clock: OFF, Odd: { type: 'n8n-nodes-odd.thing' } })), []);
    assert.deepEqual(saidOf({ nodes: { Claim: CLAIM, Mail: MAIL }, flow: 'Claim > Mail' }), []);
  });
});

describe('a rule of a unit that n8n does not have', () => {
  const ruled = (...interval: readonly unknown[]): Drawing =>
    alone({ Clock: { ...HOURLY, parameters: { rule: { interval } } } });

  it('is critical, and reckoned with as the day that n8n makes of it', () => {
    assert.deepEqual(saidOf(ruled({ field: 'fortnight' })), [
      'critical: The rule of "Clock" never starts anything as it is written: "fortnight" is no unit that n8n has. n8n 2.41 starts it each day instead, and that is what is reckoned with here; others may refuse it.',
    ]);
    const [finding] = findingsOf(ruled({ field: 'fortnight' }), 'schedule.never-fires');
    assert.equal(
      finding?.advice,
      'Choose a unit that there is, in "Clock": seconds, minutes, hours, days, weeks, months, cronExpression.',
    );
    assert.deepEqual(auditOf(ruled({ field: 'fortnight' })).schedule?.rules[0]?.plan, {
      kind: 'cron',
      expression: '0 0 * * *',
    });
    assert.equal(saidOf(ruled({ field: 7 }, { field: ['days'] })).length, 2);
  });

  it('is none where the unit is left out, known, or an expression', () => {
    assert.deepEqual(saidOf(ruled({}, { field: 'weeks' }, { field: '={{ $vars.unit }}' })), []);
    assert.deepEqual(saidOf(alone({ Clock: { ...HOURLY, parameters: {} } })), []);
  });
});
