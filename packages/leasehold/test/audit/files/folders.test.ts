/** Folders, pipes and packed files, as they are found. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { folderOf, read, readFile, readFolder, readPiped, spans, the, write } from './stage.ts';

const RUNS = 'start,end\n2026-03-01T10:00:00Z,2026-03-01T10:20:00Z\n2026-03-01T11:00:00Z,2026-03-01T11:20:00Z\n';
const SPANS = ['2026-03-01T10:00:00Z..10:20:00Z', '2026-03-01T11:00:00Z..11:20:00Z'];
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d]);

describe('a folder', () => {
  it('of 5,000 unrelated files and a history says one line about the 5,000', async (test) => {
    const files: Record<string, string | Buffer> = { 'z/runs.csv': RUNS };
    for (let at = 0; at < 2_100; at += 1) files[`images/${at}.png`] = PNG;
    for (let at = 0; at < 1_600; at += 1)
      files[`text/${at}.txt`] = 'Dear all, this is prose.\nIt has two lines; no more.\n';
    for (let at = 0; at < 800; at += 1) files[`code/${at}.js`] = "import { a } from './a.js';\nexport const b = [a];\n";
    for (let at = 0; at < 300; at += 1) files[`config/${at}.json`] = '{"name":"x","scripts":{"start":"node ."}}';
    for (let at = 0; at < 150; at += 1)
      files[`tables/${at}.csv`] = 'id,name,created_at\n1,a,2026-01-01\n2,b,2026-01-02\n';
    for (let at = 0; at < 50; at += 1) files[`config/${at}.ini`] = '[section]\nkey = value\n';
    const found = await readFolder(test, files);
    assert.deepEqual(spans(found), SPANS);
    assert.deepEqual(found.unread, [
      '.: 5,000 files are not histories or workflows (2,100 .png, 1,600 .txt, 800 .js, 300 .json, 200 others).',
    ]);
    assert.deepEqual(found.limits, ['The rows name no workflow: all of them were taken for runs of one.']);
  });

  it('is read in the order of names, folders too, and links are followed once', async (test) => {
    const folder = folderOf(test);
    write(folder, { 'b/runs.csv': RUNS, 'a.csv': RUNS.replaceAll('2026', '2025') });
    symlinkSync(folder, join(folder, 'b', 'up'));
    symlinkSync('nowhere', join(folder, 'c'));
    symlinkSync('d', join(folder, 'd'));
    const found = await read(folder, folder);
    assert.deepEqual(spans(found), [...SPANS.map((span) => span.replaceAll('2026', '2025')), ...SPANS]);
    assert.deepEqual(found.unread, ['c: There is no such file or folder.', 'd: A link that leads back to itself.']);
  });

  it('that may not be entered is named, and the rest is read', {
    skip: process.getuid?.() === 0 ? 'root may enter any folder' : false,
  }, async (test) => {
    const folder = folderOf(test);
    write(folder, { 'runs.csv': RUNS, 'shut/runs.csv': RUNS });
    chmodSync(join(folder, 'shut'), 0);
    test.after(() => chmodSync(join(folder, 'shut'), 0o700));
    const found = await read(folder, folder);
    assert.deepEqual(spans(found), SPANS);
    assert.deepEqual(found.unread, ['shut: This user may not read it.']);
  });

  it('deeper than 64 folders is not entered there', async (test) => {
    const folder = folderOf(test);
    mkdirSync(join(folder, ...Array.from({ length: 70 }, () => 'd')), { recursive: true });
    const found = await read(folder, folder);
    assert.match(
      the(found.unread.filter((line) => line.includes('Deeper'))),
      /: Deeper than 64 folders: not entered\.$/,
    );
  });

  it('without files, or one that is not there, is said to be so', async (test) => {
    const folder = folderOf(test);
    assert.deepEqual((await read(folder, folder)).unread, ['.: A folder without files.']);
    assert.deepEqual((await read(join(folder, 'x'), folder)).unread, ['x: There is no such file or folder.']);
  });

  it("leaves other people's packages alone", async (test) => {
    const found = await readFolder(test, { 'node_modules/x/runs.csv': RUNS, '.git/runs.csv': RUNS, 'runs.csv': RUNS });
    assert.deepEqual(spans(found), SPANS);
  });

  it('whose name holds an address is named without it', async (test) => {
    const found = await readFolder(test, { 'jo@example.com/runs.csv': 'start,end\n' });
    assert.deepEqual(found.unread, ['***@***/runs.csv: There is a line of column names and nothing below it.']);
  });
});

describe('a file', () => {
  it('is known by its content, whatever it is called', async (test) => {
    const found = await readFolder(test, { 'photo.png': RUNS, 'runs.csv': PNG });
    assert.deepEqual(spans(found), SPANS);
    assert.deepEqual(found.unread, ['.: One file is not a history or a workflow (1 .csv).']);
  });

  it('that was named and is none of ours says why', async (test) => {
    assert.deepEqual((await readFile(test, 'a', '')).unread, ['a: Empty: there is nothing to read.']);
    assert.deepEqual((await readFile(test, 'a.png', PNG)).unread, [
      'a.png: None of the kinds that can be read: a crontab, CSV, JSON or NDJSON, a SQLite database of n8n, or a ZIP archive of such files.',
    ]);
    assert.deepEqual((await readFile(test, 'p.json', '{"name":"x"}')).unread, [
      'p.json: JSON, but neither a history nor a workflow.',
    ]);
    assert.deepEqual((await readFile(test, 'c.csv', 'id,name\n1,a\n2,b\n')).unread, [
      'c.csv: No column of start times was recognised among "id", "name"; name it, for example --map start=COLUMN,end=COLUMN.',
    ]);
  });

  it('of SQLite is handed to the reader of databases, and not from within another file', async (test) => {
    const database = Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(200)]);
    assert.deepEqual((await readFolder(test, { 'x.sqlite': database })).databases, ['x.sqlite']);
    assert.deepEqual((await readPiped(database)).unread, [
      '-: A SQLite database, which can be read only as a file of its own: unpack it.',
    ]);
  });

  it('through a named pipe is read like any other', async (test) => {
    const folder = folderOf(test);
    if (spawnSync('mkfifo', [join(folder, 'pipe')]).status !== 0) return test.skip('no mkfifo here');
    const reading = read(join(folder, 'pipe'), folder);
    spawn('sh', ['-c', `printf %s '${RUNS}' > "$0"`, join(folder, 'pipe')]);
    assert.deepEqual(spans(await reading), SPANS);
  });
});

describe('text', () => {
  const utf16 = (mark: boolean): Buffer => Buffer.from(`${mark ? '\ufeff' : ''}${RUNS}`, 'utf16le');
  for (const [name, bytes] of [
    ['with a byte order mark', Buffer.from(`\ufeff${RUNS}`)],
    ['of UTF-16', utf16(true)],
    ['of UTF-16, the large byte first', utf16(true).swap16()],
    ['of UTF-16 without a mark', utf16(false)],
    ['with the line ends of Windows', Buffer.from(RUNS.replaceAll('\n', '\r\n'))],
    ['packed', gzipSync(RUNS)],
    ['packed in two parts', Buffer.concat([gzipSync(RUNS.slice(0, 30)), gzipSync(RUNS.slice(30))])],
    ['packed, of UTF-16', gzipSync(utf16(true))],
  ] as const) {
    it(`${name} reads the same, in pieces of any size`, async (test) => {
      assert.deepEqual(spans(await readFile(test, 'runs', bytes)), SPANS);
      for (const pieceBytes of [1, 3, 7, 64]) assert.deepEqual(spans(await readPiped(bytes, pieceBytes)), SPANS);
    });
  }

  it('of a packed file that was cut short counts up to there', async (test) => {
    const rows = Array.from(
      { length: 2_000 },
      (_, at) => `${new Date(Date.UTC(2026, 0, 1) + at * 997_001).toISOString()},${(at * 7919) % 1000}`,
    );
    const packed = gzipSync(`start,duration_ms\n${rows.join('\n')}\n`);
    const found = await readFile(test, 'runs.csv.gz', packed.subarray(0, packed.length / 2));
    assert.ok(found.runs.length > 500 && found.runs.length < 1_500, `${found.runs.length} runs`);
    assert.deepEqual(found.unread, [
      'runs.csv.gz: The packed file is damaged or cut short: what came before that was read.',
    ]);
  });
});
