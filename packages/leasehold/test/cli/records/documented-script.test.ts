/** The script of docs/cli.md, run as it stands there, twice at once: each record is sent once. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { it } from 'node:test';
import { type Bench, linesOf, MAIN, openBench } from '../command-line.ts';
import { type Answer, ask } from './answers.ts';

const PAGE = readFileSync(new URL('../../../../../docs/cli.md', import.meta.url), 'utf8');
const SCRIPT = /^## claim, begin[^]*?```sh\n([^]*?)```/m.exec(PAGE)?.[1] ?? '';
const IDS = ['a', 'lost answer', 'c', 'd'];

/** The provider: notes what it got with which key; of one record the answer is lost. */
const SEND = `#!/bin/sh
echo "$1 $3" >> sent
[ "$1" = 'lost answer' ] && exit 28
echo "ref-$3"
`;

const lacks = ['bash', 'jq'].filter((program) => spawnSync(program, ['--version']).error !== undefined);

it('the script of docs/cli.md, twice at once, sends each record once and gives each its verdict', {
  skip: lacks.length === 0 ? false : `needs ${lacks.join(' and ')}`,
}, async () => {
  await using bench = openBench();
  put(bench, 'send.sh', SEND);
  put(bench, 'leasehold', `#!/bin/sh\nexec "${process.execPath}" "${MAIN}" "$@"\n`);
  await ask(bench, ['enqueue', 'orders', '--ids', IDS.join(',')], 0);
  const script = SCRIPT.replace('--limit 20', '--limit 2');
  assert.match(script, /--limit 2 /, 'the page has the script, for twenty at a time');
  const said = (await Promise.all([run(bench, script), run(bench, script)])).join('');
  const sent = linesOf(readFileSync(join(bench.folder, 'sent'), 'utf8')).map((line) => line.replace(/ \S+$/, ''));
  assert.deepEqual(sent.toSorted(byText), IDS.toSorted(byText), said);
  const rows = await bench.json<Answer>(['records', 'orders']);
  for (const { id, state, providerRef, effectKey } of rows) {
    if (id === 'lost answer') assert.notEqual(state, 'done');
    else assert.deepEqual([state, providerRef], ['done', `ref-${String(effectKey)}`], said);
  }
});

const byText = (a: string, b: string): number => a.localeCompare(b);

function put(bench: Bench, name: string, text: string): void {
  const path = join(bench.folder, name);
  writeFileSync(path, text);
  chmodSync(path, 0o755);
}

/** What it wrote to stderr. */
function run(bench: Bench, script: string): Promise<string> {
  const child = spawn('bash', ['-c', script], {
    cwd: bench.folder,
    env: {
      ...process.env,
      PATH: `${bench.folder}${delimiter}${process.env['PATH'] ?? ''}`,
      LEASEHOLD_STORE: bench.store,
      LEASEHOLD_TOKEN: undefined,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  return new Promise((resolve) => child.once('close', () => resolve(stderr)));
}
