/** docs/cli.md says what the command line does: every option, every exit code, every JSON field. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { EXIT } from '../../src/cli/exit-codes.ts';
import { PAGES } from '../../src/cli/help/pages.ts';
import { openBench } from './command-line.ts';

const DOCS = new URL('../../../../docs/cli.md', import.meta.url);
const page = readFileSync(DOCS, 'utf8');
const COMMANDS = [...PAGES.keys()];

/** The part of the page from the heading with this title, or with this among others, to the next one of its level. */
function sectionOf(title: string): string {
  const section = page.split(/^## /m).find((part) => part.split('\n')[0]?.split(', ').includes(title));
  assert.ok(section !== undefined, `docs/cli.md has a section on ${title}`);
  return section;
}

test('every option that a command takes is explained in its section, or is one that all take', async () => {
  await using bench = openBench();
  for (const command of COMMANDS) {
    const { stdout } = await bench.run([...command.split(' '), '--help']);
    const options = [...stdout.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)].map(([, long = '']) => long);
    assert.ok(options.length > 0, command);
    const explained =
      sectionOf(command.split(' ')[0] ?? '') + sectionOf('Options of every command') + synopsisOf(command);
    for (const option of options) assert.match(explained, new RegExp(`${option}\\b`), `${command} ${option}`);
  }
});

test('every option that the page gives a command exists', async () => {
  await using bench = openBench();
  for (const command of COMMANDS) {
    const { stdout } = await bench.run([...command.split(' '), '--help']);
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
