/** `leasehold audit` of systems that run: what is asked for, what it says without its secrets, and how it ends. */
import assert from 'node:assert/strict';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { AuditedWorkflow, AuditReport } from '../../src/audit/model/report.ts';
import { openPostgresFixture, openSqliteFixture } from '../audit/live/database.ts';
import { N8nApi } from '../targets/n8n-api.ts';
import { type Engine, type ExecutionRow, insertExecution, insertRow, n8nTables } from '../targets/n8n-database.ts';
import { type Bench, openBench } from './command-line.ts';

/** Every ten minutes; each third run takes 25 minutes, and the two after it start while it runs. */
const ROWS: readonly ExecutionRow[] = Array.from({ length: 60 }, (_, at) => {
  const startedAt = Date.now() - (61 - at) * 600_000;
  return { id: at + 1, startedAt, stoppedAt: startedAt + (at % 3 === 0 ? 1_500_000 : 60_000) };
});
const WORKFLOW = {
  id: 'wf1',
  name: 'Nightly mails',
  active: true,
  nodes: [
    {
      id: 'a',
      name: 'Every 10 minutes',
      type: 'n8n-nodes-base.scheduleTrigger',
      typeVersion: 1.2,
      position: [0, 0],
      parameters: { rule: { interval: [{ field: 'minutes', minutesInterval: 10 }] } },
    },
  ],
  connections: {},
  settings: { timezone: 'Europe/Berlin' },
  versionId: 'b74287ff-f6c8-4a64-b47c-e2f9a5e6f55c',
};

const filled = (engine: Engine): string =>
  [n8nTables(engine), insertRow('workflow_entity', WORKFLOW), ...ROWS.map((row) => insertExecution(engine, row))].join(
    '\n',
  );

async function audited(bench: Bench, address: string, key?: string): Promise<AuditedWorkflow> {
  const { code, stdout, stderr } = await bench.run(['audit', address, '--json'], { env: { LEASEHOLD_N8N_KEY: key } });
  assert.equal(stderr, '');
  assert.equal(code, 1);
  const { workflows, unread } = JSON.parse(stdout) as AuditReport;
  assert.deepEqual([workflows.length, unread], [1, []]);
  assert.ok(workflows[0] !== undefined);
  return workflows[0];
}

/** What does not hang on where it was read. */
const figures = ({ id, name, history, schedule, advice }: AuditedWorkflow): object => ({
  id,
  name,
  history,
  schedule,
  advice,
});

describe('audit of a system that runs', () => {
  it('gives the same numbers by the API, from SQLite, from PostgreSQL, and from a copy in a folder', async () => {
    await using bench = openBench();
    await using sqlite = await openSqliteFixture();
    await using postgres = await openPostgresFixture(18);
    for (const fixture of [sqlite, postgres]) await fixture.execute(filled(fixture.engine));
    const iso = (ms: number | null | undefined): string => new Date(ms ?? 0).toISOString();
    const executions = ROWS.map(({ id, startedAt, stoppedAt }) => ({
      id: String(id),
      status: 'success',
      mode: 'trigger',
      finished: true,
      workflowId: 'wf1',
      startedAt: iso(startedAt),
      stoppedAt: iso(stoppedAt),
    }));
    await using api = await N8nApi.open({ workflows: [WORKFLOW], executions });
    await sqlite.execute('pragma wal_checkpoint(truncate)');
    copyFileSync(sqlite.file, join(bench.folder, 'copy.db'));
    const byApi = await audited(bench, `n8n:${api.url}`, api.key);
    const { runs, overlaps, maxConcurrent } = byApi.history;
    assert.deepEqual([runs, overlaps, maxConcurrent], [60, 40, 2]);
    assert.equal(byApi.schedule?.minGapMs, 600_000);
    for (const address of [sqlite.address, postgres.address, bench.folder]) {
      assert.deepEqual(figures(await audited(bench, address)), figures(byApi), address);
    }
  });

  it('without a key is refused before anything is read', async () => {
    await using bench = openBench();
    await using api = await N8nApi.open();
    const { code, stdout, stderr } = await bench.run(['audit', `n8n:${api.url}`, 'n8n:https://n8n.example.com'], {
      env: { LEASEHOLD_N8N_KEY: '' },
    });
    assert.deepEqual([code, stdout, api.asked.length], [78, '', 0]);
    assert.match(stderr, /is read with an API key: make one in n8n .* and put it into LEASEHOLD_N8N_KEY/);
  });

  it('says that the key goes without TLS, and ends with 78 where nothing could be read', async () => {
    await using bench = openBench();
    const { code, stdout, stderr } = await bench.run(['audit', 'n8n:http://no-such-host.invalid:5678'], {
      env: { LEASEHOLD_N8N_KEY: 'a-key-of-mine' },
    });
    assert.equal(code, 78);
    assert.match(stderr, /n8n:http:\/\/no-such-host\.invalid:5678 is asked without TLS/);
    assert.match(stdout, /It has a host name that is not known\./);
    assert.doesNotMatch(stdout + stderr, /a-key-of-mine/);
  });

  it('ends with 78 where only a part of it could be read, and with 1 where something was found in that', async () => {
    await using bench = openBench();
    const quiet = { ...WORKFLOW, nodes: [], connections: {} };
    await using api = await N8nApi.open({ workflows: [quiet] });
    api.scopes = new Set(['workflow:list']);
    const env = { LEASEHOLD_N8N_KEY: api.key };
    const { code, stdout, stderr } = await bench.run(['audit', `n8n:${api.url}`], { env });
    assert.equal(code, 78, stdout);
    assert.match(stdout, /None of its runs could be read/);
    assert.match(stderr, /1 source could not be read/);
    const found = await bench.run(['audit', `n8n:${api.url}`, '--fail-on', 'info'], { env });
    assert.equal(found.code, 1);
    api.scopes = new Set(['workflow:list', 'execution:list']);
    assert.equal((await bench.run(['audit', `n8n:${api.url}`], { env })).code, 0);
  });

  it('ends with 64 where an address makes no sense', async () => {
    await using bench = openBench();
    const { code, stderr } = await bench.run(['audit', 'mysql://me:secret@host/n8n']);
    assert.equal(code, 64);
    assert.match(stderr, /n8n's MySQL databases are not read/);
    assert.doesNotMatch(stderr, /secret/);
  });

  it('shows neither key nor password, whatever fails', async () => {
    await using bench = openBench();
    await using api = await N8nApi.open({ workflows: [WORKFLOW] });
    api.scopes = new Set(['workflow:list']);
    const { stdout, stderr } = await bench.run(
      ['audit', `n8n:${api.url}`, 'postgres://someone:pass-of-mine@127.0.0.1:9/n8n', '--json'],
      { env: { LEASEHOLD_N8N_KEY: api.key } },
    );
    assert.match(stdout, /"unread":\[\{"path":"n8n:http:\/\/127\.0\.0\.1:\d+","reason":"None of its runs/);
    assert.doesNotMatch(stdout + stderr, /pass-of-mine|someone|a-key-of-the-test-suite/);
  });
});
