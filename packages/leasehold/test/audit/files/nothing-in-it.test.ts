/** Files of which nothing can be counted: archives, what was cut short, empty exports, the audit's own report. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { readFile, readFolder } from './stage.ts';

const ROWS = 'id,start,end\n1,2026-03-01T10:00:00Z,2026-03-01T10:20:00Z\n2,2026-03-01T11:00:00Z,2026-03-01T11:20:00Z\n';

/** An archive of one file as tar writes it; `ustar`: with the mark that the first tars have not. */
function tarOf(name: string, content: string, ustar: boolean): Buffer {
  const header = Buffer.alloc(512);
  header.write(name, 0);
  header.write(['0000644', '0000000', '0000000', ''].join('\0'), 100);
  header.write(`${Buffer.byteLength(content).toString(8).padStart(11, '0')}\0`, 124);
  header.write('14720000000', 136);
  header.write('        0', 148);
  if (ustar) header.write(['ustar', '00'].join('\0'), 257);
  const sum = header.reduce((all, byte) => all + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  const body = Buffer.alloc(Math.ceil(content.length / 512) * 512);
  body.write(content);
  return Buffer.concat([header, body, Buffer.alloc(1_024)]);
}

const start = (bytes: string): Buffer => Buffer.concat([Buffer.from(bytes, 'latin1'), Buffer.from(ROWS)]);

describe('an archive', () => {
  it('is told as one, packed or not, also where it was found in a folder, and never read as a table', async (test) => {
    const tar = 'An archive (tar), which is not opened: unpack it, and name the folder.';
    const { runs, unread } = await readFolder(test, {
      'a.tar': tarOf('runs.csv', ROWS, true),
      'b.tgz': gzipSync(tarOf('runs.csv', ROWS, false)),
      'c.7z': start('7z\xbc\xaf\x27\x1c'),
      'd.xz': start('\xfd7zXZ\0'),
      'e.bz2': start('BZh91AY&SY'),
      'f.zst': start('\x28\xb5\x2f\xfd'),
    });
    const packed = (kind: string): string =>
      `Packed with ${kind}, which is not unpacked here: unpack it, and name what comes out.`;
    assert.deepEqual(runs, []);
    assert.deepEqual(unread, [
      `a.tar: ${tar}`,
      `b.tgz: ${tar}`,
      'c.7z: An archive (7z), which is not opened: unpack it, and name the folder.',
      `d.xz: ${packed('xz')}`,
      `e.bz2: ${packed('bzip2')}`,
      `f.zst: ${packed('zstd')}`,
    ]);
  });

  it('is no table whose first column has a name like the mark of one', async (test) => {
    const { runs, unread } = await readFile(test, 'runs.csv', ROWS.replace('id,', 'BZh,'));
    assert.deepEqual([runs.length, unread], [2, []]);
  });
});

const WORKFLOW = JSON.stringify({
  name: 'Orders',
  nodes: [
    { id: 'a', name: 'Every', type: 'n8n-nodes-base.scheduleTrigger', typeVersion: 1.2, parameters: {} },
    { id: 'b', name: 'Read', type: 'n8n-nodes-base.postgres', typeVersion: 2.5, parameters: {} },
  ],
  connections: {},
});

describe('JSON that was cut short, of which nothing is whole,', () => {
  const cut = (kind: string): string =>
    `Cut short${kind}, and nothing in it is whole, so nothing of it was read; export it again.`;

  it('is told once and by what it looks like, in a folder by its own name', async (test) => {
    const files = {
      'workflow.json': WORKFLOW.slice(0, -60),
      'blueprint.json': '{"name":"x","flow":[{"id":1,"module":"google-sheets:watchRows","parameters":{',
      'zaps.json': '{"metadata":{},"zaps":[{"id":1,',
      'runs.json': '{"data":[{"id":"1","startedAt":"2026-03',
    };
    const unread = [
      `blueprint.json: ${cut(': a blueprint of Make, by its beginning')}`,
      `runs.json: ${cut(': a history, by its beginning')}`,
      `workflow.json: ${cut(': a workflow of n8n, by its beginning')}`,
      `zaps.json: ${cut(': an export of Zapier, by its beginning')}`,
    ];
    assert.deepEqual((await readFolder(test, files)).unread, unread);
    assert.deepEqual((await readFile(test, 'workflow.json', files['workflow.json'])).unread, [unread[2]]);
  });

  it('is none of ours in a folder where it looks like nothing that is read', async (test) => {
    assert.deepEqual((await readFolder(test, { 'a.json': '{"a":1,"b":[1,2' })).unread, [
      '.: One file is not a history or a workflow (1 .json).',
    ]);
  });
});

describe('an export with nothing in it', () => {
  const empty = 'An empty history: there is no run and no workflow in it.';

  it('is an empty history', async (test) => {
    const texts = ['{"data":[]}', '{"data":[],"nextCursor":null}', '[]', '{"data":{"results":[],"count":0}}'];
    for (const text of texts) {
      const { unread, empty: paths } = await readFile(test, 'a.json', text);
      assert.deepEqual([unread, paths], [[`a.json: ${empty}`], ['a.json']], text);
    }
    const headings = await readFile(test, 'a.csv', 'id,start,end\n');
    assert.deepEqual(headings.empty, ['a.csv']);
  });

  it('is told in a folder where it is an answer, and is none of ours where it is a bare list or names no list', async (test) => {
    assert.deepEqual((await readFolder(test, { 'a.json': '{"data":[]}' })).unread, [`a.json: ${empty}`]);
    assert.deepEqual((await readFolder(test, { 'a.json': '[]', 'b.json': '{"files":[]}' })).unread, [
      '.: 2 files are not histories or workflows (2 .json).',
    ]);
    assert.deepEqual((await readFile(test, 'b.json', '{"files":[]}')).unread, [
      'b.json: JSON, but neither a history nor a workflow.',
    ]);
  });
});

it("the audit's own report is no history, whatever its first workflow is called", async (test) => {
  const report = JSON.stringify({
    workflows: [
      {
        id: 'a {b} "c"',
        name: '{{ x }}',
        source: 'runs.csv',
        history: { runs: 1, used: 0, excluded: [{ runId: '1', reason: 'open' }], startedAt: '2026-03-01T10:00:00Z' },
      },
    ],
    unread: [],
  });
  assert.deepEqual((await readFile(test, 'audit.json', report)).unread, [
    'audit.json: A report of an audit: audit what it was made of.',
  ]);
});
