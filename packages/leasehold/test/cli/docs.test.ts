/** docs/cli.md says what the command line does: every option, every exit code, every JSON field. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { EXIT } from '../../src/cli/exit-codes.ts';
import { openBench } from './command-line.ts';

const DOCS = new URL('../../../../docs/cli.md', import.meta.url);
const page = readFileSync(DOCS, 'utf8');
const COMMANDS =
  'run acquire renew release status runs events why advise pause resume force-release doctor work alert migrate demo'.split(
    ' ',
  );

/** The part of the page from the first heading that names the command to the next heading of its level. */
function sectionOf(command: string): string {
  const section = page.split(/^## /m).find((part) => part.split('\n')[0]?.split(', ').includes(command));
  assert.ok(section !== undefined, `docs/cli.md has a section on ${command}`);
  return section;
}

test('every option that a command takes is explained in its section, or is one that all take', async () => {
  await using bench = openBench();
  for (const command of COMMANDS) {
    const { stdout } = await bench.run([command, '--help']);
    const options = [...stdout.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)].map(([, long = '']) => long);
    assert.ok(options.length > 0, command);
    const explained = sectionOf(command) + sectionOf('Options of every command') + synopsisOf(command);
    for (const option of options) assert.match(explained, new RegExp(`${option}\\b`), `${command} ${option}`);
  }
});

test('every option that the page gives a command exists', async () => {
  await using bench = openBench();
  for (const command of COMMANDS) {
    const { stdout } = await bench.run([command, '--help']);
    for (const [option] of synopsisOf(command).matchAll(/--[\w-]+/g)) {
      assert.match(stdout, new RegExp(`${option}\\b`), `${command} ${option}`);
    }
  }
});

test('every exit code has its row', () => {
  const table = sectionOf('Exit codes');
  for (const code of Object.values(EXIT))
    assert.match(table, new RegExp(`^\\|[^|]*\\b${code}\\b[^|]*\\|`, 'm'), String(code));
});

/** The command's line at the top of the page. */
function synopsisOf(command: string): string {
  const line = new RegExp(`^leasehold ${command}(?: .*)?$`, 'm').exec(page)?.[0];
  assert.ok(line !== undefined, `docs/cli.md begins with a line on ${command}`);
  return line;
}
