/** What a command loads at its start: a guard that starts every minute should not read what it does not need. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { MAIN, openBench } from './command-line.ts';

const AUDITOR = /csv-parse|streamparser|yauzl|temporal|hono|\/src\/audit\/(?:audit|collect|rules|schedule|report)/;
const RECORDS = /\/src\/stores\/[a-z]+\/records\/|\/src\/engine\/records\/(?:enqueue|open-claim|held-claim|sweep)\.ts/;

describe('what a command loads', () => {
  for (const command of ['--help', 'run x -- true', 'audit --help']) {
    it(`nothing of the auditor, nor what it reads with: ${command}`, async () => {
      assert.deepEqual(await loaded(command, AUDITOR), []);
    });
  }

  it('nothing of what claims, enqueues and sweeps: run x -- true', async () => {
    assert.deepEqual(await loaded('run x -- true', RECORDS), []);
    assert.notDeepEqual(await loaded('claim mails --ids a', RECORDS), []);
  });
});

/** Runs the command line, and names each module that it loads and that matches. */
async function loaded(command: string, what: RegExp): Promise<string[]> {
  await using bench = openBench();
  const script = join(bench.folder, 'seen.mjs');
  writeFileSync(script, LOADED);
  const { stdout } = await promisify(execFile)(process.execPath, [script, ...command.split(' ')], {
    env: { ...process.env, LEASEHOLD_STORE: bench.store, MAIN },
  });
  const modules = stdout.split('\n').filter((line) => line.startsWith('loaded '));
  assert.ok(modules.length > 20, stdout);
  return modules.filter((line) => what.test(line));
}

const LOADED = `
  import { registerHooks } from 'node:module';
  import { writeSync } from 'node:fs';
  import { pathToFileURL } from 'node:url';
  registerHooks({ load: (url, context, next) => { writeSync(1, 'loaded ' + url + '\\n'); return next(url, context); } });
  await import(pathToFileURL(process.env.MAIN));
`;
