/** The whole corpus as one folder, by the command line: nothing crashes, all is there, and no secret gets out. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { AuditReport } from '../../../src/audit/model/report.ts';
import { type Bench, type Ended, openBench } from '../../cli/command-line.ts';
import { assertValidReport } from '../report/valid-report.ts';
import { ALL } from './all.ts';
import { type Sample, writeSample } from './corpus.ts';
import { NAMED, SECRETS, withSecrets } from './secrets.ts';

const SAMPLES_MIN = 200;

interface Audited extends Ended {
  readonly html: string;
}

/** In another folder than the rest of the bench, whose own files are none of ours. */
async function audited(bench: Bench, options: readonly string[]): Promise<Audited> {
  const folder = join(bench.folder, 'corpus');
  const page = join(bench.folder, `page${options.length}.html`);
  const ended = await bench.run(['audit', folder, '--html', page, ...options]);
  return { ...ended, html: readFileSync(page, 'utf8') };
}

function writeAll(bench: Bench, samples: readonly Sample[]): void {
  for (const sample of samples) writeSample(join(bench.folder, 'corpus'), sample);
}

describe('the corpus', () => {
  it('has at least two hundred workflows, each of a name of its own', () => {
    assert.ok(ALL.length >= SAMPLES_MIN, `${ALL.length}`);
    assert.equal(new Set(ALL.map(({ name }) => name)).size, ALL.length);
  });

  it('is read as one folder: all are there, and the report is valid by its schema', async () => {
    await using bench = openBench();
    writeAll(bench, ALL);
    const { code, stderr, stdout } = await audited(bench, ['--json', '--timezone', 'UTC']);
    assert.deepEqual([code, stderr], [1, '']);
    const report = JSON.parse(stdout) as AuditReport;
    assertValidReport(report);
    const sources = report.workflows.map(({ source }) => source).join('\n');
    assert.deepEqual(
      ALL.map(({ name }) => name).filter((name) => !sources.includes(`/corpus/${name}/`)),
      [],
    );
  });

  it('with secrets in every place shows none of them, as JSON, in the terminal and as a page', async () => {
    await using bench = openBench();
    writeAll(bench, [...ALL.map(withSecrets), ...NAMED]);
    const [json, { stdout, stderr, html }] = await Promise.all([audited(bench, ['--json']), audited(bench, [])]);
    assert.equal(json.code, 1);
    assertValidReport(JSON.parse(json.stdout));
    const shown = { json: json.stdout, terminal: stdout, html, stderr: stderr + json.stderr };
    const leaks = Object.entries(shown).flatMap(([where, text]) =>
      SECRETS.filter((each) => text.includes(each)).map((each) => {
        const at = text.indexOf(each);
        return `${where}: …${text.slice(Math.max(0, at - 120), at + 60)}…`;
      }),
    );
    assert.deepEqual(leaks, []);
    assert.ok(html.includes('***') && json.stdout.includes('***'));
  });
});
