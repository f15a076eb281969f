/** Make: logs of scenarios, and blueprints with the switches that block, duplicate or lose. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Finding } from '../../../src/audit/model/finding.ts';
import { type Recorded, readPiped, spans, the } from './stage.ts';

const MINUTE = 60_000;
const START = Date.UTC(2026, 2, 1, 10);

/** Every 15 minutes, with durations that vary, newest first. */
function logs(count: number, meaning: 'start' | 'end', given: object = {}): object[] {
  return Array.from({ length: count }, (_, at) => {
    const duration = 20_000 + ((at * at * 31 + at * 17) % 97) * 1_000;
    const startMs = START + at * 15 * MINUTE;
    const timestamp = new Date(meaning === 'start' ? startMs : startMs + duration).toISOString();
    const imtId = `${Date.parse(timestamp)}_scenario.77.auto.e${at}`;
    return {
      imtId,
      id: `e${at}`,
      timestamp,
      duration,
      status: 1,
      type: 'auto',
      instant: false,
      operations: 3,
      ...given,
    };
  }).toReversed();
}

const readLogs = (rows: readonly object[]): Promise<Recorded> =>
  readPiped(JSON.stringify({ scenarioLogs: rows, pg: { limit: 50 } }));

describe("a scenario's log", () => {
  for (const meaning of ['start', 'end'] as const) {
    it(`shows by its interval that a timestamp is the ${meaning} of a run, and says so`, async () => {
      const found = await readLogs(logs(20, meaning));
      assert.equal(spans(found).at(-1), '2026-03-01T10:00:00Z..10:00:20Z');
      assert.ok(found.runs.every(({ startedAtMs }) => ((startedAtMs ?? 1) - START) % (15 * MINUTE) === 0));
      assert.deepEqual(found.limits, [
        meaning === 'start'
          ? "77: Make doesn't say whether a timestamp is a start or an end: taken for starts, they keep to the interval within 0ms, for ends within 43s; so they are starts."
          : "77: Make doesn't say whether a timestamp is a start or an end: taken for ends, the starts keep to the interval within 0ms, for starts within 43s; so they are ends.",
      ]);
    });
  }

  it('that is too short to show it is taken to have starts, and says so', async () => {
    assert.deepEqual((await readLogs(logs(1, 'start'))).limits, [
      "77: Make doesn't say whether a timestamp is a start or an end, and 1 scheduled run can't show it: taken for starts.",
    ]);
    assert.match(the((await readLogs(logs(8, 'start'))).limits), /and 8 scheduled runs can't show it/);
  });

  it('keeps retries, people and webhooks apart, and leaves out what changed the scenario', async () => {
    const timestamp = '2026-03-02T00:00:00.000Z';
    const found = await readLogs([
      ...logs(12, 'start'),
      { imtId: '1_dlq.9.auto.r1', id: 'r1', timestamp, duration: 5_000, status: 3, type: 'auto' },
      { imtId: '1_scenario.77.manual.m1', id: 'm1', timestamp, duration: 5_000, status: 2, type: 'manual' },
      { imtId: '1_scenario.77.auto.w1', timestamp, duration: 5_000, status: 1, type: 'auto', instant: true },
      {
        imtId: '1_scenario.77.auto.p1',
        id: 'p1',
        timestamp,
        duration: 0,
        status: 0,
        type: 'auto',
        eventType: 'EXECUTION_END',
      },
      { imtId: 'x', timestamp, type: 'edit', authorId: 3 },
      { imtId: 'y', timestamp, type: 'stop', eventType: 'SCENARIO_STOP', duration: 1 },
    ]);
    const of = (id: string): unknown => {
      const run = found.runs.find(({ runId }) => runId === id);
      return [run?.workflow, run?.cause, run?.state, run?.result];
    };
    assert.deepEqual(of('r1'), ['77', 'retry', 'ended', 'failure']);
    assert.deepEqual(of('m1'), ['77', 'manual', 'ended', 'success']);
    assert.deepEqual(of('w1'), ['77', 'webhook', 'ended', 'success']);
    assert.deepEqual(of('p1'), ['77', 'trigger', 'running', 'unknown']);
    assert.equal(found.runs.length, 16);
    assert.ok(found.limits.includes('2 changes to scenarios (edits, starts, stops) left out: no runs.'));
  });

  it('leaves out a change that has an id like a run', async () => {
    const timestamp = '2026-03-02T00:00:00.000Z';
    const change = { imtId: '1_scenario.77.modify.3', timestamp, type: 'modify', authorId: 3 };
    const found = await readLogs([...logs(3, 'start'), change]);
    assert.equal(found.runs.length, 3);
    assert.ok(found.limits.includes('1 change to scenarios (edits, starts, stops) left out: no runs.'));
  });

  it('as a table is read as what it is, by its ids', async () => {
    const names = ['imtId', 'timestamp', 'duration', 'status', 'type', 'instant'];
    const retry = { ...logs(1, 'start')[0], imtId: '1_dlq.9.auto.r1' };
    const rows = [...logs(12, 'start'), retry] as Record<string, unknown>[];
    const found = await readPiped([names, ...rows.map((row) => names.map((name) => row[name]))].join('\n'));
    assert.deepEqual(new Set(found.runs.map(({ workflow }) => workflow)), new Set(['77']));
    assert.equal(found.runs.filter(({ cause }) => cause === 'retry').length, 1);
  });

  for (const status of ['new word', 'constructor']) {
    it(`of the status ${status} has runs that ended, nobody knows how`, async () => {
      const { state, result } = the((await readLogs(logs(1, 'start', { status }))).runs);
      assert.deepEqual([state, result], ['ended', 'unknown']);
    });
  }

  it('of several scenarios keeps retries of nobody knows which apart', async () => {
    const other = logs(3, 'start').map((row, at) => ({ ...row, imtId: `1_scenario.88.auto.f${at}`, id: `f${at}` }));
    const retry = {
      imtId: '1_dlq.9.auto.r1',
      id: 'r1',
      timestamp: '2026-03-02T00:00:00Z',
      duration: 1,
      status: 1,
      type: 'auto',
    };
    const found = await readLogs([...logs(3, 'start'), ...other, retry]);
    assert.deepEqual([...new Set(found.runs.map(({ workflow }) => workflow))].toSorted(), [
      '77',
      '88',
      'incomplete executions',
    ]);
    assert.ok(
      found.limits.includes(
        '1 retry of incomplete executions: of which scenario is not said, and this file has several. They are kept apart.',
      ),
    );
  });
});

interface Flags {
  readonly sequential?: boolean;
  readonly dlq?: boolean;
  readonly dataloss?: boolean;
}
const POLL = {
  id: 1,
  module: 'google-sheets:watchRows',
  parameters: { __IMTCONN__: 5 },
  metadata: { restore: { parameters: { __IMTCONN__: { label: 'Sheets of jo@example.com' } } } },
};
const HOOK = { id: 1, module: 'gateway:CustomWebHook', parameters: {} };
const MAIL = { id: 2, module: 'google-email:ActionSendEmail', mapper: { to: 'jo@example.com' } };

const blueprint = (scenario: Flags, trigger: object = POLL, others: readonly object[] = [MAIL]): object => ({
  name: 'Orders',
  flow: [trigger, ...others],
  metadata: {
    instant: trigger === HOOK,
    version: 1,
    scenario: { roundtrips: 1, maxErrors: 3, autoCommit: true, ...scenario },
  },
});
const findingsOf = async (value: object): Promise<readonly Finding[]> =>
  the((await readPiped(JSON.stringify(value))).workflows).findings;
const rulesOf = async (value: object): Promise<string[]> =>
  (await findingsOf(value)).map(({ rule, severity }) => `${rule} ${severity}`);

describe('a blueprint', () => {
  for (const [flags, trigger, expected] of [
    [{}, POLL, ['guard.missing info', 'make.data-loss info']],
    [{ dlq: true }, POLL, ['guard.missing warning']],
    [{ dataloss: true }, POLL, ['guard.missing info', 'make.data-loss warning']],
    [{ dlq: true, dataloss: true }, POLL, ['guard.missing warning', 'make.data-loss warning']],
    [{ sequential: true }, POLL, ['platform.switch-is-no-lock warning', 'make.data-loss info']],
    [{ sequential: true, dlq: true }, POLL, ['make.sequential-blocks warning', 'platform.switch-is-no-lock warning']],
    [{ sequential: true, dataloss: true }, POLL, ['platform.switch-is-no-lock warning', 'make.data-loss warning']],
    [
      { sequential: true, dlq: true, dataloss: true },
      POLL,
      ['make.sequential-blocks warning', 'platform.switch-is-no-lock warning', 'make.data-loss warning'],
    ],
    [{}, HOOK, ['guard.missing warning', 'make.data-loss warning']],
    [{ sequential: true, dlq: true }, HOOK, ['make.sequential-blocks warning', 'platform.switch-is-no-lock warning']],
  ] as const) {
    it(`with ${JSON.stringify(flags)} and ${trigger === HOOK ? 'a webhook' : 'an interval'} says whether it blocks, duplicates or loses (C123)`, async () => {
      assert.deepEqual(await rulesOf(blueprint(flags, trigger)), expected);
    });
  }

  it('that claims or locks with Leasehold is not told that nothing keeps runs apart', async () => {
    const guard = {
      id: 9,
      module: 'http:ActionSendData',
      mapper: { url: 'https://lease.example.com/v1/locks/orders/acquire' },
    };
    assert.deepEqual(await rulesOf(blueprint({ dlq: true }, POLL, [guard, MAIL])), []);
    assert.deepEqual(
      await rulesOf(blueprint({ dlq: true }, POLL, [{ id: 3, module: 'app#leasehold-x1:claim' }, MAIL])),
      [],
    );
  });

  it('is known bare, in an answer of the API and with the record of its scenario', async () => {
    const bare = blueprint({ dlq: true });
    const scheduling = { type: 'indefinitely', interval: 900 };
    for (const value of [
      { ...bare, scheduling },
      { code: 'OK', response: { blueprint: bare, scheduling } },
      { response: { blueprint: { ...bare, scheduling: JSON.stringify(scheduling) } } },
    ]) {
      const workflow = the((await readPiped(JSON.stringify(value))).workflows);
      assert.deepEqual([workflow.id, workflow.name, workflow.platform], ['Orders', 'Orders', 'make']);
      assert.deepEqual(
        workflow.schedule?.rules.map(({ plan }) => plan),
        [{ kind: 'interval', everyMs: 900_000 }],
      );
    }
    const record = { id: 77, name: 'Orders', isActive: true, isPaused: false, scheduling };
    const found = the((await readPiped(JSON.stringify({ scenarios: [record], pg: {} }))).workflows);
    assert.deepEqual([found.id, found.isActive, found.schedule?.rules[0]?.expression], ['77', true, 'every 15m']);
  });

  it('without its schedule says that it is not known', async () => {
    const { schedule } = the((await readPiped(JSON.stringify(blueprint({})))).workflows);
    assert.deepEqual(
      schedule?.rules.map(({ plan }) => plan),
      [null],
    );
    assert.deepEqual(schedule?.assumes, [
      "A blueprint of Make doesn't tell its schedule: the interval (15 minutes unless changed) stands in the scenario's settings; give it by --every.",
    ]);
    assert.equal(the((await readPiped(JSON.stringify(blueprint({}, HOOK)))).workflows).schedule, null);
  });

  for (const [scheduling, expression] of [
    [{ type: 'daily', time: '09:05' }, '5 9 * * *'],
    [{ type: 'weekly', days: [1, 5], time: '09:00' }, '0 9 * * 1,5'],
    [{ type: 'monthly', dates: [1, 15], time: '00:00' }, '0 0 1,15 * *'],
    [{ type: 'yearly', months: [6], dates: [1], time: '12:00' }, '0 12 1 6 *'],
  ] as const) {
    it(`of the schedule ${JSON.stringify(scheduling)} runs at ${expression}`, async () => {
      const { schedule } = the((await readPiped(JSON.stringify({ ...blueprint({}), scheduling }))).workflows);
      assert.deepEqual(
        schedule?.rules.map(({ plan }) => plan),
        [{ kind: 'cron', expression }],
      );
      assert.deepEqual(schedule?.assumes, [
        "Make plans times of day in the time zone of the organisation, which the file doesn't tell.",
      ]);
    });
  }

  it('hands on no address, connection or field', async () => {
    const text = JSON.stringify(
      (
        await readPiped(
          JSON.stringify(
            blueprint({}, POLL, [{ ...MAIL, metadata: { designer: { name: 'Mail to jo@example.com' } } }]),
          ),
        )
      ).workflows,
    );
    assert.doesNotMatch(text, /example|__IMTCONN__/);
  });

  it('waits as long as its sleep modules, also in the routes of a router', async () => {
    const router = {
      id: 3,
      module: 'builtin:BasicRouter',
      routes: [{ flow: [{ id: 4, module: 'util:FunctionSleep', mapper: { duration: '120' } }] }, { flow: [] }],
    };
    assert.equal(the((await readPiped(JSON.stringify(blueprint({}, POLL, [router])))).workflows).waitMs, 120_000);
  });
});

describe('a line of modules', () => {
  const SEARCH = { id: 1, module: 'airtable:ActionSearchRecords', mapper: { formula: "{status}='new'" } };
  const MARK = { id: 3, module: 'airtable:ActionUpdateRecords', mapper: {} };
  const CLAIM = { id: 4, module: 'postgres:ExecuteQuery', mapper: { query: 'select * from leasehold.claim($1)' } };
  const windowsOf = async (...modules: readonly [object, ...object[]]): Promise<readonly string[]> => {
    const [first, ...others] = modules;
    const found = await findingsOf(blueprint({ dlq: true }, first, others));
    return found.map(({ rule }) => rule).filter((rule) => rule.startsWith('window.'));
  };

  it('that mails between a search and its mark may do so twice', async () => {
    assert.deepEqual(await windowsOf(SEARCH, MAIL, MARK), ['window.read-to-write', 'window.effect-before-mark']);
  });

  it('that marks straight after the search, or claims, has no window', async () => {
    assert.deepEqual(await windowsOf(SEARCH, MARK, MAIL), []);
    assert.deepEqual(await windowsOf(SEARCH, CLAIM, MAIL, MARK), []);
  });

  it('that marks nothing, or in another app, is told of as what was not recognised', async () => {
    assert.deepEqual(await windowsOf(SEARCH, MAIL), ['window.no-status-write']);
    assert.deepEqual(await windowsOf(SEARCH, MAIL, { id: 5, module: 'google-sheets:updateRow' }), [
      'window.no-status-write',
    ]);
  });

  it('that begins with a watch gets each record once, and what only runs after an error is not on its way', async () => {
    assert.deepEqual(await windowsOf(POLL, MAIL, { id: 5, module: 'google-sheets:updateRow' }), []);
    assert.deepEqual(await windowsOf({ ...SEARCH, onerror: [MAIL] }, MARK), []);
  });

  it('of words that nobody knows tells nothing', async () => {
    assert.deepEqual(await windowsOf(SEARCH, { id: 2, module: 'acme:frobnicate' }), []);
  });
});
