/** `leasehold audit` of a system in which one workflow says active and never fires, while another one runs. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { AuditReport } from '../../src/audit/model/report.ts';
import { openPostgresFixture, openSqliteFixture } from '../audit/live/database.ts';
import { N8nApi } from '../targets/n8n-api.ts';
import { type ExecutionRow, insertExecution, insertRow, n8nTables } from '../targets/n8n-database.ts';
import { type Bench, openBench } from './command-line.ts';

/** Ten hours of runs, one every ten minutes. */
const ROWS: readonly ExecutionRow[] = Array.from({ length: 60 }, (_, at) => {
  const startedAt = Date.now() - (61 - at) * 600_000;
  return { id: at + 1, startedAt, stoppedAt: startedAt + 60_000 };
});
const EDITED_MS = Date.now() - 30 * 86_400_000;
const started = (id: string, interval: Record<string, unknown>): Record<string, unknown> & { id: string } => ({
  id,
  name: `Job ${id}`,
  active: true,
  nodes: [
    {
      id: 'a',
      name: 'Clock',
      type: 'n8n-nodes-base.scheduleTrigger',
      typeVersion: 1.2,
      position: [0, 0],
      parameters: { rule: { interval: [interval] } },
    },
  ],
  connections: {},
  settings: { timezone: 'UTC' },
  versionId: 'b74287ff-f6c8-4a64-b47c-e2f9a5e6f55c',
});
const RUNNING = started('wf1', { field: 'minutes', minutesInterval: 10 });
const SILENT = started('wf2', { field: 'hours' });

async function saidOfSilent(bench: Bench, sources: readonly string[], key?: string): Promise<string[]> {
  const { stdout } = await bench.run(['audit', ...sources, '--json'], { env: { LEASEHOLD_N8N_KEY: key } });
  const { workflows } = JSON.parse(stdout) as AuditReport;
  const found = workflows.find(({ id }) => id === 'wf2')?.findings ?? [];
  return found.filter(({ rule }) => rule === 'slot.missed').map(({ severity, message }) => `${severity}: ${message}`);
}

const TOLD =
  /^warning: Switched on, and not one start in a history in which 1 other workflow ran 60 times: (?:9|10) slots from/;
const EXECUTIONS = ROWS.map(({ id, startedAt, stoppedAt }) => ({
  id: String(id),
  status: 'success',
  mode: 'trigger',
  finished: true,
  retryOf: null,
  waitTill: null,
  startedAt: new Date(startedAt ?? 0).toISOString(),
  stoppedAt: new Date(stoppedAt ?? 0).toISOString(),
  workflowId: 'wf1',
}));

describe('a workflow that says active and never fires', () => {
  it('is told of a running n8n, as far as it was not changed meanwhile', async () => {
    await using bench = openBench();
    const workflows = [RUNNING, { ...SILENT, updatedAt: new Date(EDITED_MS).toISOString() }];
    await using api = await N8nApi.open({ executions: EXECUTIONS, workflows });
    const [message] = await saidOfSilent(bench, [`n8n:${api.url}`], api.key);
    assert.match(message ?? '', TOLD);
    api.workflows = [RUNNING, { ...SILENT, updatedAt: new Date().toISOString() }];
    assert.deepEqual(await saidOfSilent(bench, [`n8n:${api.url}`], api.key), []);
  });

  it("is told of n8n's database, of either kind", async () => {
    await using bench = openBench();
    await using sqlite = await openSqliteFixture();
    await using postgres = await openPostgresFixture(18);
    for (const fixture of [sqlite, postgres]) {
      const edited = new Date(EDITED_MS).toISOString();
      const updatedAt = fixture.engine === 'sqlite' ? edited.replace('T', ' ').replace('Z', '') : edited;
      await fixture.execute(
        [
          n8nTables(fixture.engine),
          ...[RUNNING, SILENT].map((workflow) => insertRow('workflow_entity', { ...workflow, updatedAt })),
          ...ROWS.map((row) => insertExecution(fixture.engine, row)),
        ].join('\n'),
      );
      const [message] = await saidOfSilent(bench, [fixture.address]);
      assert.match(message ?? '', TOLD, fixture.engine);
    }
  });

  it('is told of files, which may be an export of the others alone', async () => {
    await using bench = openBench();
    const folder = join(bench.folder, 'exports');
    mkdirSync(folder);
    writeFileSync(join(folder, 'workflows.json'), JSON.stringify([RUNNING, SILENT]));
    writeFileSync(join(folder, 'executions.json'), JSON.stringify({ data: EXECUTIONS, nextCursor: null }));
    const [message] = await saidOfSilent(bench, [folder]);
    assert.match(message ?? '', TOLD);
    assert.match(message ?? '', /An export of the others alone would look the same\.$/);
  });
});
