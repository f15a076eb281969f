/** A run that waits as long as its schedule's smallest gap meets the next one: the definition alone tells it. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { HistoryRun } from '../../../src/audit/model/run.ts';
import { overlapPredicted } from '../../../src/audit/rules/history/overlap-predicted.ts';
import { everyMs, HOUR, known, MINUTE, runsAt } from '../stage.ts';
import { audit, draw, type Drawing, type Drawn, HOURLY } from './build.ts';
import { GUARD, MAIL, SHAPE, WEBHOOK } from './parts.ts';

const wait = (parameters: Record<string, unknown>, typeVersion = 1.1): Drawn => ({
  type: 'wait',
  typeVersion,
  parameters,
});
const hours = (amount: number): Drawn => wait({ amount, unit: 'hours' });
const minutes = (amount: number): Drawn => wait({ amount, unit: 'minutes' });
const IF: Drawn = { type: 'if', typeVersion: 2.2 };
const each = (minutesInterval: number): Drawn => ({
  type: 'scheduleTrigger',
  typeVersion: 1.2,
  parameters: { rule: { interval: [{ field: 'minutes', minutesInterval }] } },
});

function predicted(drawings: readonly Drawing[], runs: readonly HistoryRun[] = []): string[] {
  const [found] = audit(
    ...drawings.map((drawing, at) => draw({ ...drawing, id: at === 0 ? 'sync' : `sub${at}` })),
  ).workflows;
  assert.ok(found !== undefined);
  return overlapPredicted(known(runs, { definition: { ...found, source: 'exports/sync.json' } })).map(
    ({ severity, evidence }) =>
      `${severity} ${evidence.map((one) => `${String(one['node'])} ${String(one['waitMs'])}`).join(', ')}`,
  );
}
const of = (nodes: Readonly<Record<string, Drawn>>, flow: string, more: Record<string, unknown> = {}): string[] =>
  predicted([{ nodes: { Clock: HOURLY, Mail: MAIL, ...nodes }, flow, ...more }]);

describe('a wait of a fixed length', () => {
  it('longer than the smallest gap, or as long, is an overlap that each run has', () => {
    assert.deepEqual(of({ Wait: hours(2) }, 'Clock > Wait > Mail'), [`critical Wait ${2 * HOUR}`]);
    assert.deepEqual(of({ Wait: hours(1) }, 'Clock > Wait > Mail'), [`critical Wait ${HOUR}`]);
  });

  it('is an hour where a Wait of version 1 says nothing, and 5 seconds later on', () => {
    assert.deepEqual(of({ Clock: each(5), Wait: wait({}, 1) }, 'Clock > Wait > Mail'), [`critical Wait ${HOUR}`]);
    assert.deepEqual(of({ Clock: each(5), Wait: wait({}) }, 'Clock > Wait > Mail'), []);
  });

  it('over half of the gap is a warning, a shorter one is none', () => {
    assert.deepEqual(of({ Wait: minutes(40) }, 'Clock > Wait > Mail'), [`warning Wait ${40 * MINUTE}`]);
    assert.deepEqual(of({ Wait: minutes(29) }, 'Clock > Wait > Mail'), []);
  });

  it('adds up with those before it', () => {
    assert.deepEqual(of({ One: minutes(40), Two: minutes(30) }, 'Clock > One > Mail > Two'), [
      `critical One ${40 * MINUTE}, Two ${30 * MINUTE}`,
    ]);
  });

  it('behind a branch is an overlap of the runs that get there', () => {
    assert.deepEqual(of({ If: IF, Wait: hours(2) }, 'Clock > If > Wait > Mail'), [`warning Wait ${2 * HOUR}`]);
    assert.deepEqual(of({ If: IF, Wait: minutes(40) }, 'Clock > If > Wait > Mail'), []);
    const apart = { If: IF, One: minutes(40), Two: minutes(40) };
    assert.deepEqual(of(apart, 'Clock > If > One; If.1 > Two'), []);
  });

  it('of a sub-workflow that is waited for keeps the run open, too', () => {
    const sub = (more: Record<string, unknown>): string[] =>
      predicted([
        {
          nodes: {
            Clock: HOURLY,
            Sub: { type: 'executeWorkflow', parameters: { workflowId: { value: 'sub1' }, ...more } },
          },
          flow: 'Clock > Sub',
        },
        { nodes: { When: { type: 'executeWorkflowTrigger' }, Wait: hours(3) }, flow: 'When > Wait' },
      ]);
    assert.deepEqual(sub({}), [`critical Sub ${3 * HOUR}`]);
    assert.deepEqual(sub({ options: { waitForSubWorkflow: false } }), []);
  });

  it('is none behind a lock that skips the next run, in a run that its timeout stops, or where the clock does not lead', () => {
    assert.deepEqual(of({ Guard: GUARD, Wait: hours(2) }, 'Clock > Guard > Wait > Mail'), []);
    const settings = { timezone: 'UTC', executionTimeout: 1_800 };
    assert.deepEqual(of({ Wait: hours(2) }, 'Clock > Wait > Mail', { settings }), []);
    assert.deepEqual(of({ Hook: WEBHOOK, Wait: hours(2) }, 'Clock > Mail; Hook > Wait'), []);
    assert.deepEqual(of({ Wait: { ...hours(2), disabled: true } }, 'Clock > Wait > Mail'), []);
  });

  it('is not fixed where something may end it, or nobody knows it before', () => {
    for (const parameters of [
      { resume: 'webhook' },
      { resume: 'webhook', limitWaitTime: true, resumeAmount: 5 },
      { resume: 'specificTime', dateTime: '2030-01-01' },
      { amount: '={{ $json.hours }}', unit: 'hours' },
    ])
      assert.deepEqual(of({ Wait: wait(parameters), Shape: SHAPE }, 'Clock > Wait > Shape > Mail'), []);
  });

  it('that no run of the history shows is a warning, and measured runs stand above it', () => {
    const waiting: Drawing = { nodes: { Clock: HOURLY, Wait: hours(2), Mail: MAIL }, flow: 'Clock > Wait > Mail' };
    const starts = everyMs(HOUR, 50);
    assert.deepEqual(predicted([waiting], runsAt(starts, MINUTE)), [`warning Wait ${2 * HOUR}`]);
    assert.deepEqual(predicted([waiting], runsAt(starts, 3 * HOUR)), ['critical undefined undefined']);
  });
});
