/** A workflow that is switched off: every output says so, and no exit code comes of it. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import type { AuditedWorkflow, AuditReport } from '../../src/audit/model/report.ts';
import { draw, type Drawing } from '../audit/n8n/build.ts';
import { STORY } from '../audit/n8n/parts.ts';
import { insertRow, n8nTables } from '../targets/n8n-database.ts';
import { type Bench, openBench } from './command-line.ts';

/** The paths of databases of n8n, one a workflow: what these say of being switched on is so. */
function put(bench: Bench, workflows: readonly Record<string, unknown>[]): string[] {
  return workflows.map((workflow) => {
    databases += 1;
    const path = join(bench.folder, `n8n-${databases}.sqlite`);
    const connection = new DatabaseSync(path);
    const { id, name, nodes, connections, settings, active = true, isArchived = false } = workflow;
    const row = { id, name, nodes, connections, settings, active, isArchived, versionId: 'v' };
    connection.exec(`${n8nTables('sqlite')}${insertRow('workflow_entity', row)}`);
    connection.close();
    return path;
  });
}
let databases = 0;

/** The same as an export. */
function exported(bench: Bench, workflow: Record<string, unknown>): string {
  const path = join(bench.folder, 'export.json');
  writeFileSync(path, JSON.stringify(workflow));
  return path;
}

const story = (id: string, more: Record<string, unknown>): Record<string, unknown> =>
  draw({ ...STORY, id, name: `Story ${id}`, settings: { timezone: 'UTC' }, ...more });
const OFF = story('off', { active: false });
const ARCHIVED = story('archived', { active: true, isArchived: true });
const ON = story('on', {});
const STARTED_BY_OTHERS: Drawing = {
  ...STORY,
  nodes: { ...STORY.nodes, Clock: { type: 'executeWorkflowTrigger' } },
};
const BY_HAND: Drawing = { ...STORY, nodes: { ...STORY.nodes, Clock: { type: 'manualTrigger' } } };

async function workflowOf(bench: Bench, paths: readonly string[]): Promise<AuditedWorkflow> {
  const [report] = await bench.json<AuditReport>(['audit', ...paths]);
  const [workflow] = report?.workflows ?? [];
  assert.ok(workflow !== undefined);
  return workflow;
}

describe('a workflow that is switched off or archived', () => {
  it('decides no exit code, from notes on', async () => {
    await using bench = openBench();
    for (const workflow of [OFF, ARCHIVED]) {
      const paths = put(bench, [workflow]);
      assert.equal((await bench.run(['audit', ...paths])).code, 0);
      assert.equal((await bench.run(['audit', ...paths, '--fail-on', 'info'])).code, 0);
    }
    assert.equal((await bench.run(['audit', ...put(bench, [OFF, ON])])).code, 1);
  });

  it('is named in the terminal, with how many would have warnings', async () => {
    await using bench = openBench();
    const { stdout } = await bench.run(['audit', ...put(bench, [OFF, ARCHIVED])]);
    assert.match(stdout, /^2 workflows, 0 runs: nothing to change\.$/m);
    assert.doesNotMatch(stdout, /CRITICAL|Without a warning/);
    assert.match(
      stdout.replaceAll(/\s+/g, ' '),
      /Switched off: Story archived \(archived\), Story off\. Switched on, each of them would have warnings, which are only notes here: --json lists all\./,
    );
  });

  it('has its state in the JSON, and notes that say what they would be', async () => {
    await using bench = openBench();
    for (const [workflow, state, words] of [
      [OFF, 'off', 'switched off'],
      [ARCHIVED, 'archived', 'archived'],
    ] as const) {
      const found = await workflowOf(bench, put(bench, [workflow]));
      assert.equal(found.state, state);
      assert.deepEqual([...new Set(found.findings.map(({ severity }) => severity))], ['info']);
      const effect = found.findings.find(({ rule }) => rule === 'window.effect-before-mark');
      assert.ok(effect !== undefined);
      assert.ok(effect.message.endsWith(` It is ${words}: switched on, this would be critical.`), effect.message);
      assert.deepEqual(effect.evidence.at(-1), { switchedOff: true, severityIfOn: 'critical' });
      const window = found.findings.find(({ rule }) => rule === 'window.read-to-write');
      assert.ok(window?.message.endsWith(` It is ${words}: switched on, this would be a warning.`), window?.message);
    }
    assert.equal((await workflowOf(bench, put(bench, [ON]))).state, 'on');
  });

  it('is marked on the page', async () => {
    await using bench = openBench();
    const page = join(bench.folder, 'page.html');
    await bench.run(['audit', ...put(bench, [OFF, ARCHIVED]), '--html', page]);
    const text = readFileSync(page, 'utf8');
    assert.match(text, /2 workflows: nothing to mend/);
    assert.match(text, /Story off <span class="soft small">\(switched off\)<\/span>/);
    assert.match(text, /Story archived <span class="soft small">\(archived\)<\/span>/);
    assert.match(text, /It is switched off: switched on, this would be critical\./);
  });

  it('is as severe as ever in an export, which may be switched on elsewhere', async () => {
    await using bench = openBench();
    const path = exported(bench, OFF);
    const found = await workflowOf(bench, [path]);
    assert.equal(found.state, null);
    assert.deepEqual(
      found.findings.filter(({ severity }) => severity === 'critical').map(({ rule }) => rule),
      ['window.effect-before-mark'],
    );
    assert.equal((await bench.run(['audit', path])).code, 1);
  });

  it('is not one that others start, or that is started by hand alone', async () => {
    await using bench = openBench();
    for (const drawing of [STARTED_BY_OTHERS, BY_HAND]) {
      const found = await workflowOf(bench, put(bench, [draw({ ...drawing, active: false })]));
      assert.equal(found.state, null);
      assert.ok(!found.findings.some(({ message }) => message.includes('switched on')));
    }
  });

  it('that started all the same is not off: its findings stay, and it fails the audit', async () => {
    await using bench = openBench();
    const runs = join(bench.folder, 'runs.ndjson');
    const lines = Array.from({ length: 30 }, (_, at) => {
      const start = Date.UTC(2026, 0, 5, at);
      return JSON.stringify({
        workflow: 'off',
        id: String(at),
        start: new Date(start).toISOString(),
        end: new Date(start + 60_000).toISOString(),
      });
    });
    writeFileSync(runs, lines.join('\n'));
    const paths = [...put(bench, [OFF]), runs];
    const found = await workflowOf(bench, paths);
    assert.equal(found.state, null);
    assert.deepEqual(
      found.findings.filter(({ severity }) => severity === 'critical').map(({ rule }) => rule),
      ['window.effect-before-mark'],
    );
    assert.ok(found.findings.some(({ rule }) => rule === 'trigger.duplicate'));
    assert.equal((await bench.run(['audit', ...paths])).code, 1);
  });
});
