/** Runs that wait, told from those that run and those that ended; and runs that an event started beside a clock. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { runStuck } from '../../../src/audit/rules/history/run-stuck.ts';
import { n8nRun } from '../../../src/audit/readers/live/n8n-run.ts';
import { DAY, HOUR, known, MINUTE, run, runsAt, START } from '../stage.ts';
import { readPiped } from './stage.ts';

const HEAD = 'id,finished,mode,startedAt,stoppedAt,waitTill,workflowId';
const ROWS = [
  '1,t,trigger,2026-01-05 00:00:00+00,2026-01-05 00:05:00+00,,wf',
  '2,f,trigger,2026-01-05 01:00:00+00,2026-01-05 01:01:00+00,2026-01-09 01:00:00+00,wf',
  '3,f,trigger,2026-01-05 02:00:00+00,2026-01-05 02:01:00+00,3000-01-01 00:00:00+00,wf',
  '4,f,trigger,2026-01-05 03:00:00+00,2026-01-05 03:01:00+00,,wf',
  '5,t,trigger,2026-01-05 04:00:00+00,2026-01-05 04:59:00+00,2026-01-05 04:30:00+00,wf',
  '6,f,trigger,2026-01-05 05:00:00+00,,,wf',
];
const STATES = [
  '1 ended success',
  '2 waiting unknown',
  '3 waiting unknown',
  '4 ended failure',
  '5 ended success',
  '6 ended failure',
];

const statesOf = async (text: string): Promise<string[]> =>
  (await readPiped(text)).runs.map(({ runId, state, result }) => [runId, state, result].join(' '));

describe('a run that waits', () => {
  it('is told by the instant that it waits for, in a table that has no status', async () => {
    assert.deepEqual(await statesOf([HEAD, ...ROWS].join('\n')), STATES);
    const { runs } = await readPiped([HEAD, ...ROWS].join('\n'));
    assert.deepEqual(runs.map(({ waitTillMs, endedAtMs }) => [waitTillMs, endedAtMs === null]).slice(0, 3), [
      [undefined, false],
      [Date.parse('2026-01-09T01:00:00Z'), true],
      [null, true],
    ]);
  });

  it('is told by the status where there is one, whatever it waited for before', async () => {
    const rows = [
      'wf,2026-01-05T00:00:00Z,2026-01-05T00:10:00Z,2026-01-06T00:00:00Z,',
      'wf,2026-01-05T01:00:00Z,2026-01-05T01:10:00Z,,',
    ];
    for (const [status, state] of [
      ['success', 'ended'],
      ['failed', 'ended'],
      ['running', 'running'],
      ['waiting', 'waiting'],
      ['', 'waiting'],
      ['of another kind', 'waiting'],
    ] as const) {
      const text = [
        'workflow,start,end,wait until,status',
        ...rows.map((row, at) => `${row}${at === 0 ? status : 'success'}`),
      ];
      assert.deepEqual(
        (await readPiped(text.join('\n'))).runs.map((each) => each.state),
        [state, 'ended'],
        status,
      );
    }
  });

  const row = { id: '1', workflowId: 'wf', workflowName: null, mode: 'trigger', finished: false, retryOf: null };
  const times = { startedAt: '2026-01-05T00:00:00Z', stoppedAt: '2026-01-05T00:01:00Z', createdAt: null };
  const none = { workflowVersionId: null, deduplicationKey: null };

  it('keeps the instant of the API and of the database, but not one that means for ever', () => {
    const waits = (status: string | undefined, waitTill: unknown): unknown =>
      n8nRun({ ...row, ...times, ...none, status, waitTill }).waitTillMs;
    assert.equal(waits('waiting', '2026-01-09T00:00:00.000Z'), Date.parse('2026-01-09T00:00:00Z'));
    assert.equal(waits(undefined, Date.parse('2026-01-09T00:00:00Z')), Date.parse('2026-01-09T00:00:00Z'));
    assert.equal(waits('waiting', '3000-01-01T00:00:00.000Z'), null);
    assert.equal(waits('waiting', Date.UTC(3000, 0, 1)), null);
    assert.equal(waits('waiting', null), undefined);
    assert.equal(waits('success', '2026-01-09T00:00:00.000Z'), undefined);
  });

  const usual = runsAt([0, HOUR, 2 * HOUR, 3 * HOUR], MINUTE);
  const waiting = (waitTillMs: number | null | undefined, openMs: number): string[] => {
    const given = waitTillMs === undefined ? {} : { waitTillMs };
    const one = run({ runId: 'w', startedAtMs: START, endedAtMs: null, state: 'waiting', result: 'unknown', ...given });
    const context = known([...usual, one], { source: 'n8n:https://n8n.test', nowMs: START + openMs });
    return runStuck(context).flatMap(({ evidence }) => evidence.map(({ waitsUntil }) => String(waitsUntil)));
  };

  it('is stuck when the instant that it waits for is over, and not before, however long that takes', () => {
    assert.deepEqual(waiting(START + 20 * DAY, 19 * DAY), []);
    assert.deepEqual(waiting(START + 20 * DAY, 20 * DAY + 30 * MINUTE), [], 'a host looks now and then');
    assert.deepEqual(waiting(START + 20 * DAY, 20 * DAY + 2 * HOUR), ['2026-01-25T00:00:00Z']);
    assert.deepEqual(waiting(START + 2 * HOUR, 4 * HOUR), ['2026-01-05T02:00:00Z'], 'also within a day');
  });

  it('for a person or a call has a month, and one of which nobody says for what a day', () => {
    assert.deepEqual(waiting(null, 30 * DAY), []);
    assert.deepEqual(waiting(null, 32 * DAY), ['undefined']);
    assert.deepEqual([waiting(undefined, 20 * HOUR), waiting(undefined, 2 * DAY)], [[], ['undefined']]);
  });

  it('waits no more once a later row says that it ended', () => {
    const first = run({ runId: 'w', startedAtMs: START, endedAtMs: null, state: 'waiting', waitTillMs: START + HOUR });
    const later = run({ runId: 'w', startedAtMs: START, endedAtMs: START + 2 * HOUR });
    const { history } = known([...usual, first, later]);
    assert.deepEqual([history.openRows.length, history.figures.slowestMs], [0, 2 * HOUR]);
    assert.equal(history.table.waitOf(4), undefined);
  });
});

describe('a run that an event started', () => {
  const nodes = [
    { name: 'Clock', type: 'n8n-nodes-base.scheduleTrigger', parameters: {} },
    { name: 'Mail came', type: 'n8n-nodes-base.gmailTrigger', parameters: {} },
    { name: 'Work', type: 'n8n-nodes-base.set', parameters: {} },
  ];
  const causesOf = async (
    all: readonly object[],
    shape: (name: string) => object = (name) => ({ source: [], startTime: name.length }),
  ): Promise<string[]> => {
    const executions = ['Clock', 'Mail came'].map((name, at) => ({
      id: String(at),
      workflowId: 'wf',
      mode: 'trigger',
      status: 'success',
      startedAt: `2026-01-05T0${at}:00:00Z`,
      stoppedAt: `2026-01-05T0${at}:01:00Z`,
      workflowData: { id: 'wf', name: 'Orders', nodes: all, connections: {} },
      data: {
        resultData: {
          runData: { Work: [{ source: [{ previousNode: name }], executionIndex: 1 }], [name]: [shape(name)] },
        },
      },
    }));
    return (await readPiped(JSON.stringify(executions))).runs.map(({ cause }) => cause);
  };

  it('beside a clock is no start of its schedule', async () => {
    assert.deepEqual(await causesOf(nodes), ['trigger', 'webhook']);
    assert.deepEqual(await causesOf(nodes, () => ({ source: [null], executionIndex: 0 })), ['trigger', 'webhook']);
  });

  it('is a trigger like others where the workflow has no clock, or one that is switched off', async () => {
    assert.deepEqual(await causesOf(nodes.slice(1)), ['trigger', 'trigger']);
    assert.deepEqual(await causesOf([{ ...nodes[0], disabled: true }, ...nodes.slice(1)]), ['trigger', 'trigger']);
    assert.deepEqual(await causesOf(nodes, () => ({ source: [{ previousNode: 'x' }] })), ['trigger', 'trigger']);
  });
});
