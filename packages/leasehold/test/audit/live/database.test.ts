/** n8n's database, read in SQLite and in the oldest and the newest PostgreSQL: the same facts for each. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ExecutionRow, insertExecution, insertRow, instantText, n8nTables } from '../../targets/n8n-database.ts';
import { readInstant } from '../../../src/audit/readers/live/instant.ts';
import { type N8nDatabaseFixture, openPostgresFixture, openSqliteFixture } from './database.ts';
import { DAY_MS, HOUR_MS, iso, NOW, readSource } from './stage.ts';

const ENGINES: Readonly<Record<string, () => Promise<N8nDatabaseFixture>>> = {
  SQLite: openSqliteFixture,
  'PostgreSQL 15': () => openPostgresFixture(15),
  'PostgreSQL 18': () => openPostgresFixture(18),
};

const START = NOW - 2 * DAY_MS;
const WORKFLOW = {
  id: 'wf1',
  name: 'Nightly mails',
  active: true,
  nodes: [{ name: 'Draft' }],
  connections: {},
  settings: { timezone: 'Europe/Berlin' },
  versionId: 'v2',
};

async function fill(fixture: N8nDatabaseFixture, rows: readonly ExecutionRow[], more = ''): Promise<void> {
  const inserts = rows.map((row) => insertExecution(fixture.engine, row));
  await fixture.execute(
    [n8nTables(fixture.engine), insertRow('workflow_entity', WORKFLOW), ...inserts, more].join('\n'),
  );
}

for (const [engine, open] of Object.entries(ENGINES)) {
  describe(`in ${engine}`, () => {
    it('a run has its planned instant, its version and instants in UTC', async () => {
      await using fixture = await open();
      const key = `wf1:0d1c:${iso(START)}`;
      const row = { id: 7, startedAt: START + 153, stoppedAt: START + 20_021, deduplicationKey: key };
      await fill(fixture, [{ ...row, workflowVersionId: 'v1', retryOf: '6', mode: 'retry', status: 'error' }]);
      const { runs, unread } = await readSource(fixture.address);
      assert.deepEqual(unread, []);
      assert.deepEqual(runs, [
        {
          workflow: 'wf1',
          workflowName: 'Nightly mails',
          runId: '7',
          startedAtMs: START + 153,
          endedAtMs: START + 20_021,
          state: 'ended',
          result: 'failure',
          cause: 'retry',
          retryOf: '6',
          versionId: 'v1',
          slotAtMs: START,
          isClockSuspect: false,
        },
      ]);
    });

    it('each state and each way to start is told', async () => {
      await using fixture = await open();
      const statuses = ['success', 'error', 'crashed', 'canceled', 'unknown', 'running', 'waiting', 'new'];
      const modes = ['trigger', 'webhook', 'chat', 'manual', 'cli', 'retry', 'integrated', 'error'];
      await fill(
        fixture,
        statuses.map((status, index) => ({
          id: index + 1,
          status,
          finished: status === 'success',
          mode: modes[index] ?? '',
          startedAt: status === 'new' ? null : START,
          createdAt: START - 5,
          stoppedAt: status === 'running' || status === 'new' ? null : START + 9,
        })),
      );
      const { runs } = await readSource(fixture.address);
      const told = runs
        .toSorted((one, other) => Number(one.runId) - Number(other.runId))
        .map(({ state, result, cause, startedAtMs, endedAtMs }) =>
          [state, result, cause, (startedAtMs ?? 0) - START, endedAtMs === null ? null : endedAtMs - START].join(' '),
        );
      assert.deepEqual(told, [
        'ended success trigger 0 9',
        'ended failure webhook 0 9',
        'ended crashed webhook 0 9',
        'ended cancelled manual 0 9',
        'ended unknown manual 0 9',
        'running unknown retry 0 ',
        'waiting unknown sub-workflow 0 ',
        // What is queued has not started; it is queued since it was made.
        'queued unknown sub-workflow -5 ',
      ]);
    });

    it('what is open is read whatever its age, what has ended only of the days that were asked for', async () => {
      await using fixture = await open();
      const old = Array.from({ length: 30 }, (_, index) => index + 1);
      await fill(fixture, [
        { id: 1, status: 'running', startedAt: NOW - 100 * DAY_MS },
        ...old.map((day) => ({ id: 40 - day, startedAt: NOW - day * DAY_MS, stoppedAt: NOW - day * DAY_MS + 5 })),
      ]);
      const { runs } = await readSource(fixture.address, { days: 10 });
      assert.deepEqual(
        runs.map(({ runId }) => Number(runId)),
        [1, 39, 38, 37, 36, 35, 34, 33, 32, 31, 30],
      );
    });

    it('many pages are read, each run once', async () => {
      await using fixture = await open();
      const numbers =
        fixture.engine === 'sqlite'
          ? 'with recursive n(i) as (select 1 union all select i + 1 from n where i < 12345) select i from n'
          : 'select generate_series(1, 12345)';
      await fill(
        fixture,
        [],
        `insert into execution_entity ("id", "workflowId", "finished", "mode", "status", "startedAt", "stoppedAt")
         select i, 'wf1', true, 'trigger', 'success', ${instantText(fixture.engine, START)}, ${instantText(fixture.engine, START + 9)}
         from (${numbers}) as n(i);`.replace('as n(i)', fixture.engine === 'sqlite' ? '' : 'as n(i)'),
      );
      const { runs } = await readSource(fixture.address);
      assert.equal(new Set(runs.map(({ runId }) => runId)).size, 12_345);
      assert.equal(runs.length, 12_345);
    });

    it('a workflow comes with the version that is published, and without pinned and static data', async () => {
      await using fixture = await open();
      const secret = { staticData: { token: 'kept-apart' }, pinData: { Node: ['kept-apart'] } };
      const version = {
        versionId: 'v1',
        workflowId: 'wf2',
        authors: 'A',
        nodes: [{ name: 'Live' }],
        connections: { Live: {} },
      };
      const published = { ...WORKFLOW, ...secret, id: 'wf2', activeVersionId: 'v1' };
      await fill(fixture, [], insertRow('workflow_history', version) + insertRow('workflow_entity', published));
      const { workflows } = await readSource(fixture.address);
      assert.equal(workflows.length, 2);
      const { updatedAt, ...others } = workflows[1] ?? {};
      assert.ok(readInstant(updatedAt).ms !== null, String(updatedAt));
      assert.deepEqual(others, {
        id: 'wf2',
        name: 'Nightly mails',
        active: true,
        isArchived: false,
        nodes: [{ name: 'Draft' }],
        connections: {},
        settings: { timezone: 'Europe/Berlin' },
        versionId: 'v2',
        activeVersionId: 'v1',
        activeVersion: { versionId: 'v1', nodes: [{ name: 'Live' }], connections: { Live: {} } },
      });
      assert.equal(workflows[0]?.['activeVersion'], null);
    });

    it('an n8n from before statuses is read by the columns that it has', async () => {
      await using fixture = await open();
      const rows: readonly ExecutionRow[] = [
        { id: 1, workflowId: '5', finished: true, startedAt: START, stoppedAt: START + 5 },
        { id: 2, workflowId: '5', finished: false, startedAt: START, stoppedAt: START + 6 },
        { id: 3, workflowId: '5', finished: false, startedAt: START },
        { id: 4, workflowId: '5', finished: false, startedAt: START, stoppedAt: START + 7, waitTill: NOW + DAY_MS },
      ];
      const plain = { id: 5, name: 'Old one', active: true, nodes: [], connections: {} };
      const instants = { createdAt: iso(START), updatedAt: iso(START) };
      await fixture.execute(
        [
          n8nTables(fixture.engine, '0.200'),
          insertRow('workflow_entity', { ...plain, ...instants }),
          ...rows.map((row) => insertExecution(fixture.engine, row, '0.200')),
        ].join('\n'),
      );
      const { runs, workflows, unread } = await readSource(fixture.address);
      assert.deepEqual(unread, []);
      assert.deepEqual(
        runs.map(({ runId, state, result, workflowName }) => [runId, state, result, workflowName].join(' ')).toSorted(),
        [
          '1 ended success Old one',
          '2 ended failure Old one',
          '3 running unknown Old one',
          '4 waiting unknown Old one',
        ],
      );
      assert.deepEqual([workflows[0]?.['id'], workflows[0]?.['activeVersion']], ['5', null]);
    });

    it('tables with a prefix are found', async () => {
      await using fixture = await open();
      const row = { id: 1, startedAt: START, stoppedAt: START + 5 };
      await fixture.execute(
        [
          n8nTables(fixture.engine, '2.41.1', 'n8n_'),
          insertRow('n8n_workflow_entity', WORKFLOW),
          insertExecution(fixture.engine, row, '2.41.1', 'n8n_'),
        ].join('\n'),
      );
      const { runs, unread } = await readSource(fixture.address);
      assert.deepEqual([runs.length, runs[0]?.workflowName, unread], [1, 'Nightly mails', []]);
    });

    it('what is gone from the history is counted: deleted, not kept, and counted by n8n', async () => {
      await using fixture = await open();
      const row = { startedAt: START, stoppedAt: START + 5 };
      await fill(
        fixture,
        [
          { ...row, id: 1 },
          // Known until it is pruned.
          { ...row, id: 2, deletedAt: NOW - HOUR_MS },
          { ...row, id: 3, mode: 'manual' },
          // What n8n is set not to keep stays `running`, marked as deleted an hour ago, until it is pruned.
          { id: 4, status: 'running', startedAt: START, deletedAt: NOW - HOUR_MS, workflowId: 'wf2' },
        ],
        [
          { name: 'production_success', count: 4_812, workflowId: 'wf1' },
          { name: 'production_error', count: 12, workflowId: 'wf1' },
          { name: 'manual_success', count: 9, workflowId: 'wf1' },
          { name: 'production_success', count: 39, workflowId: 'wf2' },
        ]
          .map((count) => insertRow('workflow_statistics', count))
          .join('\n'),
      );
      const { runs, limits } = await readSource(fixture.address);
      assert.deepEqual(
        runs.map(({ runId }) => runId),
        ['3', '2', '1'],
      );
      assert.deepEqual(limits.slice(1).toSorted(), [
        'Runs that are not to be kept, and have no end, were left out: 1.',
        'wf1: n8n has counted 4,824 ended runs outside the editor; its history still has 1 of them.',
        "wf2: n8n has counted 39 successful runs, and its history has none of them: it is set not to keep them, so overlaps can't be seen there.",
      ]);
    });

    it('the times that a workflow was switched off are told, a new version is none', async () => {
      await using fixture = await open();
      const event = (id: number, name: string, ms: number): string => {
        const row = insertRow('workflow_publish_history', { id, workflowId: 'wf1', event: name, createdAt: '@' });
        return row.replace("'@'", instantText(fixture.engine, ms));
      };
      await fill(
        fixture,
        [],
        [
          event(1, 'activated', START),
          event(2, 'deactivated', START + HOUR_MS),
          event(3, 'activated', START + HOUR_MS + 2_000),
          event(4, 'deactivated', START + 2 * HOUR_MS),
          event(5, 'activated', START + 5 * HOUR_MS),
          event(6, 'deactivated', START + 9 * HOUR_MS),
        ].join('\n'),
      );
      const { limits, offTimes } = await readSource(fixture.address);
      assert.deepEqual(offTimes, [
        { fromMs: START + 9 * HOUR_MS, untilMs: null },
        { fromMs: START + 2 * HOUR_MS, untilMs: START + 5 * HOUR_MS },
      ]);
      assert.deepEqual(limits, [
        'wf1: It was switched off at 2026-11-28T21:00:00.000Z and is off still: no starts are to be expected then.',
        'wf1: It was switched off at 2026-11-28T14:00:00.000Z and on again at 2026-11-28T17:00:00.000Z: no starts are to be expected then.',
      ]);
    });

    it('an instant that nobody can read is a fault of its clock, not a missing one', async () => {
      await using fixture = await open();
      const odd = fixture.engine === 'sqlite' ? "'yesterday'" : "'infinity'";
      await fill(
        fixture,
        [{ id: 1, startedAt: START, stoppedAt: START + 5 }],
        `update execution_entity set "startedAt" = ${odd};`,
      );
      const { runs } = await readSource(fixture.address);
      assert.deepEqual([runs[0]?.startedAtMs, runs[0]?.isClockSuspect], [null, true]);
    });

    it('a database of another program is told', async () => {
      await using fixture = await open();
      await fixture.execute('create table orders (id integer);');
      const { unread } = await readSource(fixture.address);
      assert.deepEqual(unread, [
        `${fixture.name}: It holds no tables of n8n (execution_entity, workflow_entity); is it the database of another program?`,
      ]);
    });

    it('where only one of the two tables is there, the other is told', async () => {
      await using fixture = await open();
      await fill(fixture, [{ id: 1, startedAt: START, stoppedAt: START + 5 }], 'drop table workflow_entity;');
      const { runs, unread } = await readSource(fixture.address);
      const table = fixture.engine === 'sqlite' ? 'workflow_entity' : 'public.workflow_entity';
      assert.equal(runs.length, 1);
      assert.deepEqual(unread, [`${fixture.name}: None of its workflows could be read: there is no table ${table}.`]);
    });
  });
}
