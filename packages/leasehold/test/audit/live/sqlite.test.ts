/** The file of an n8n's SQLite database: live, copied, locked, damaged, or something else; nothing is ever written. */
import assert from 'node:assert/strict';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, test } from 'node:test';
import { type ExecutionRow, insertExecution, insertRow, n8nTables } from '../../targets/n8n-database.ts';
import { openSqliteFixture } from './database.ts';
import { DAY_MS, NOW, readArgument, readSource } from './stage.ts';

const NO_LOG =
  'No -wal file stands beside this database: if it was copied while n8n ran, its newest runs are missing; copy both.';
const ROW: ExecutionRow = { id: 1, startedAt: NOW - 9_000, stoppedAt: NOW };
const FILL = [
  n8nTables('sqlite'),
  insertRow('workflow_entity', { id: 'wf1', name: 'One', active: true, nodes: [], connections: {}, versionId: 'v' }),
  insertExecution('sqlite', ROW),
].join('\n');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'leasehold-n8n-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A database that nobody has open, in `folder`. */
function closedFile(mode: 'wal' | 'delete' = 'wal'): string {
  const file = join(folder, 'database.sqlite');
  const connection = new DatabaseSync(file);
  connection.exec(`pragma journal_mode = ${mode};${FILL}`);
  connection.close();
  return file;
}

test('what a running n8n has only in its log is read', async () => {
  await using live = await openSqliteFixture();
  await live.execute(`pragma wal_autocheckpoint = 0;${FILL}`);
  assert.ok(readFileSync(live.file).length <= 4_096);
  const { runs, limits } = await readSource(live.address);
  assert.deepEqual([runs.length, limits.includes(NO_LOG)], [1, false]);
});

test('a file in WAL mode without its log is read, told, and gets no files beside it', async () => {
  const file = closedFile();
  const { runs, limits } = await readSource(`sqlite:${file}`);
  assert.equal(runs.length, 1);
  assert.ok(limits.includes(NO_LOG));
  assert.deepEqual(readdirSync(folder), ['database.sqlite']);
});

test('SQLite itself would leave files beside it, owned by whoever read it', () => {
  new DatabaseSync(closedFile(), { readOnly: true }).prepare('select * from execution_entity').all();
  assert.deepEqual(readdirSync(folder).length, 3);
});

test('a copy without its log has what was in the file itself', async () => {
  await using live = await openSqliteFixture();
  await live.execute(FILL);
  await live.execute('pragma wal_checkpoint(truncate)');
  await live.execute(insertExecution('sqlite', { ...ROW, id: 2 }));
  const copy = join(folder, 'copy.sqlite');
  copyFileSync(live.file, copy);
  const { runs, limits } = await readSource(`sqlite:${copy}`);
  assert.deepEqual([runs.length, limits.includes(NO_LOG)], [1, true]);
});

test('a file that nobody works on is named as a file, so that its history ends with its newest run', async () => {
  const file = closedFile();
  const { progress } = await readSource(`sqlite:${file}`);
  assert.ok(progress.length > 0 && progress.every((line) => line.startsWith(`${file}: `)), progress.join());
});

test('a path and sqlite:PATH mean the same file, in use or not', async (t) => {
  await using live = await openSqliteFixture();
  const old = insertExecution('sqlite', { ...ROW, id: 2, startedAt: NOW - 90 * DAY_MS, stoppedAt: NOW - 90 * DAY_MS });
  await live.execute(`${FILL};${old}`);
  const idle = join(folder, 'idle.sqlite');
  t.after(() => rmSync(idle, { force: true }));
  const writer = new DatabaseSync(idle);
  writer.exec(`pragma journal_mode = delete;${FILL};${old}`);
  writer.close();
  const seen = async (file: string): Promise<unknown[]> => {
    const twice = [];
    for (const argument of [file, `sqlite:${file}`]) {
      const { runs, sources } = await readArgument(argument);
      twice.push([runs, sources]);
    }
    return twice;
  };
  const running = [1, [`sqlite:${live.file}`]];
  assert.deepEqual(await seen(live.file), [running, running]);
  const whole = [2, [idle]];
  assert.deepEqual(await seen(idle), [whole, whole]);
});

test('a file with a rollback journal is read as it is', async () => {
  const { runs, limits } = await readSource(`sqlite:${closedFile('delete')}`);
  assert.deepEqual([runs.length, limits.includes(NO_LOG)], [1, false]);
});

test('a file whose name has characters of an address is found', async () => {
  const file = join(folder, 'a b?c#d%20.sqlite');
  copyFileSync(closedFile(), file);
  const { runs, unread } = await readSource(`sqlite:${file}`);
  assert.deepEqual([runs.length, unread], [1, []]);
});

test('nothing of it changes, nor can', async () => {
  const file = closedFile('delete');
  const before = readFileSync(file);
  await readSource(`sqlite:${file}`);
  assert.deepEqual(readFileSync(file), before);
  const { openN8nFile } = await import('../../../src/audit/readers/n8n-database/sqlite.ts');
  const { database } = openN8nFile(file, { sleep: async () => {}, schedule: () => ({ cancel: () => {} }) });
  await assert.rejects(database.query('delete from execution_entity', []), /readonly/);
  await database.close();
});

test('a locked file is waited for, and given up in the end', async () => {
  const file = closedFile('delete');
  const writer = new DatabaseSync(file);
  writer.exec('begin exclusive');
  const given = await readSource(`sqlite:${file}`);
  assert.deepEqual(given.unread, [`${file}: It can't be read: another process keeps it locked.`]);
  let waits = 0;
  const sleep = async (): Promise<void> => {
    waits += 1;
    if (waits === 3) writer.exec('rollback');
  };
  const clock = { sleep, schedule: () => ({ cancel: () => {} }) };
  const { runs, unread } = await readSource(`sqlite:${file}`, { clock });
  writer.close();
  assert.deepEqual([runs.length, unread, waits], [1, [], 3]);
});

test('what is no database of n8n is one line each', async () => {
  const text = join(folder, 'notes.txt');
  writeFileSync(text, 'These are notes, and many of them, of nothing that a database would hold.\n'.repeat(40));
  const damaged = join(folder, 'damaged.sqlite');
  copyFileSync(closedFile('delete'), damaged);
  truncateSync(damaged, 5_000);
  const empty = join(folder, 'empty.sqlite');
  writeFileSync(empty, '');
  mkdirSync(join(folder, '.n8n'));
  const said = async (path: string): Promise<string> => {
    const { unread } = await readSource(`sqlite:${path}`);
    return unread.map((line) => line.replace(/^sqlite:/, '').replace(`${path}: `, '')).join(' | ');
  };
  assert.equal(await said(text), "It can't be read: it is no SQLite database.");
  assert.equal(await said(damaged), "It can't be read: the file is damaged.");
  assert.match(await said(empty), /^It holds no tables of n8n/);
  assert.equal(await said(join(folder, 'absent')), "It can't be read: it is not there.");
  assert.equal(
    await said(join(folder, '.n8n')),
    "It can't be read: it is not a file; name the file database.sqlite in it.",
  );
});

test('a file that this user may not read is told', async (t) => {
  if (process.getuid?.() === 0) return t.skip('the superuser may read everything');
  const file = closedFile();
  chmodSync(file, 0o000);
  const { unread } = await readSource(`sqlite:${file}`);
  assert.deepEqual(unread, [`sqlite:${file}: It can't be read: this user may not read the file.`]);
  return undefined;
});

test('a workflow that is stored as no JSON is one line, and the others are read', async () => {
  const file = closedFile('delete');
  const connection = new DatabaseSync(file);
  connection.exec(
    insertRow('workflow_entity', {
      id: 'wf0',
      name: 'Odd',
      active: true,
      nodes: '{"cut',
      connections: {},
      versionId: 'v',
    }),
  );
  connection.close();
  const { workflows, unread } = await readSource(`sqlite:${file}`);
  assert.equal(workflows.length, 1);
  assert.deepEqual(unread, [`${file}: Workflow wf0 is stored as something other than JSON.`]);
});
