/** A run that waits as long as its schedule's smallest gap meets the next one: the definition alone tells it. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { HistoryRun } from '../../../src/audit/model/run.ts';
import { unknownWaits } from '../../../src/audit/rules/history/unknown-waits.ts';
import { takeALock } from '../../../src/audit/rules/history/take-a-lock.ts';
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
      { amount: '={{ process.exit(1) }}', unit: 'hours' },
      { amount: '={{ 9 ** 9 ** 9 ** 9 }}', unit: 'hours' },
      { amount: '={{ 1 / 0 }}', unit: 'hours' },
      { resume: 'specificTime', dateTime: "={{ $now.plus({ days: 1 }).startOf('day') }}" },
    ])
      assert.deepEqual(of({ Wait: wait(parameters), Shape: SHAPE }, 'Clock > Wait > Shape > Mail'), []);
  });

  it('is one that is worked out from constants, too', () => {
    const WORKED: readonly (readonly [parameters: Record<string, unknown>, ms: number])[] = [
      [{ amount: '={{ 3*24 }}', unit: 'hours' }, 72 * HOUR],
      [{ amount: '={{ (1 + 2) * 60 - 2 ** 3 }}', unit: '={{ "minutes" }}' }, 172 * MINUTE],
      [{ amount: '={{ Number("90") }}', unit: 'minutes' }, 90 * MINUTE],
      [{ amount: '=2', unit: 'hours' }, 2 * HOUR],
      [{ resume: 'specificTime', dateTime: '={{ $now.plus({hours: 5}) }}' }, 5 * HOUR],
      [{ resume: 'specificTime', dateTime: "={{ $now.plus(5, 'hours').toISO() }}" }, 5 * HOUR],
      [
        {
          resume: 'specificTime',
          dateTime: '={{ DateTime.now().plus({ days: 1 }).minus({ hours: 2, minutes: 30 }) }}',
        },
        21.5 * HOUR,
      ],
      [{ resume: 'specificTime', dateTime: '={{ new Date(Date.now() + 2 * 3600 * 1000).toISOString() }}' }, 2 * HOUR],
    ];
    for (const [parameters, ms] of WORKED)
      assert.deepEqual(
        of({ Wait: wait(parameters) }, 'Clock > Wait > Mail'),
        [`critical Wait ${ms}`],
        JSON.stringify(parameters),
      );
  });

  it('that no run of the history shows is a warning, and measured runs stand above it', () => {
    const waiting: Drawing = { nodes: { Clock: HOURLY, Wait: hours(2), Mail: MAIL }, flow: 'Clock > Wait > Mail' };
    const starts = everyMs(HOUR, 50);
    assert.deepEqual(predicted([waiting], runsAt(starts, MINUTE)), [`warning Wait ${2 * HOUR}`]);
    assert.deepEqual(predicted([waiting], runsAt(starts, 3 * HOUR)), ['critical undefined undefined']);
  });
});

describe('a wait that only the run knows', () => {
  const told = (
    wanted: Readonly<Record<string, Drawn>>,
    flow: string,
    runs: readonly HistoryRun[] = [],
  ): { said: string[]; lock: string } => {
    const [found] = audit(draw({ nodes: { Clock: HOURLY, Mail: MAIL, ...wanted }, flow, id: 'sync' })).workflows;
    assert.ok(found !== undefined);
    const context = known(runs, { definition: { ...found, source: 'exports/sync.json' } });
    return {
      said: unknownWaits(context).map(({ severity, message, advice }) => `${severity} ${message} ${advice}`),
      lock: takeALock(context),
    };
  };

  it('is said, and that the advised lease does not span it', () => {
    for (const parameters of [
      { amount: '={{ $json.hours }}', unit: 'hours' },
      { amount: 2, unit: '={{ $json.unit }}' },
      { resume: 'specificTime', dateTime: '={{ $json.due }}' },
      { resume: 'specificTime', dateTime: "={{ $now.plus({ days: 1 }).startOf('day') }}" },
    ]) {
      const { said, lock } = told({ Later: wait(parameters) }, 'Clock > Later > Mail');
      assert.deepEqual(said, [
        'info How long "Later" waits is only known when n8n comes to it: whether a run is still open at the next start, 1h later, can\'t be told. Add the longest of these waits to the lease of 121m, which doesn\'t span it. Or write the wait as a fixed length.',
      ]);
      assert.match(lock, /a lease of 121m and as long as "Later" may wait/);
    }
  });

  it('is none where runs show how long it was, where it is a constant, or where the clock does not lead', () => {
    const later = { Later: wait({ amount: '={{ $json.hours }}', unit: 'hours' }) };
    const seen = told(later, 'Clock > Later > Mail', runsAt(everyMs(HOUR, 50), MINUTE));
    assert.deepEqual(seen.said, []);
    assert.doesNotMatch(seen.lock, /may wait/);
    assert.deepEqual(told({ Later: hours(2) }, 'Clock > Later > Mail').said, []);
    assert.deepEqual(told({ ...later, Hook: WEBHOOK }, 'Clock > Mail; Hook > Later').said, []);
    assert.deepEqual(told({ Later: { ...later.Later, disabled: true } }, 'Clock > Later > Mail').said, []);
  });
});
