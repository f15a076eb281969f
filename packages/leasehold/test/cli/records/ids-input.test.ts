/** What lines of ids are read as, and what is said of those that are none. No store anywhere. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { describe, it } from 'node:test';
import { parseExactly } from '../../../src/cli/records/exact-json.ts';
import { parseIds, readIds } from '../../../src/cli/records/ids-input.ts';
import { LINE_BYTES_MAX } from '../../../src/cli/records/lines.ts';
import { offerOf } from '../../../src/cli/records/offering.ts';
import { Spool } from '../../../src/cli/records/spool.ts';
import { createCommandProcess } from '../../../src/platform/command-host.ts';
import { idsOf, readText, withFile } from './input.ts';

const host = createCommandProcess();

describe('lines of plain ids', () => {
  it('are ids whoever ended them, with or without a byte order mark', async () => {
    for (const text of ['a\nb\nc\n', 'a\nb\nc', 'a\r\nb\r\nc\r\n', '\uFEFFa\r\nb\nc', '\n\na\n  \n\nb\n\t\nc\n\n']) {
      for (const chunkBytes of [1, 2, 3, 1_000]) assert.deepEqual(await idsOf(text, chunkBytes), ['a', 'b', 'c'], text);
    }
  });

  it('lose the blanks around them and keep those inside', async () => {
    assert.deepEqual(await idsOf('  a b \n\tc\t\n'), ['a b', 'c']);
  });

  it('are told apart by their bytes: what normalises alike are two ids, and so are 7 and 07', async () => {
    const [composed, decomposed] = ['\u00E9', 'e\u0301'];
    assert.deepEqual(await idsOf(`${composed}\n${decomposed}\n7\n07\n`), [composed, decomposed, '7', '07']);
  });

  it('may be cut by a chunk inside a character', async () => {
    assert.deepEqual(await idsOf('\u{1F600}x\u{1F600}\n\u20AC\n', 1), ['\u{1F600}x\u{1F600}', '\u20AC']);
  });

  it('of nothing are no ids', async () => {
    for (const text of ['', '\n', '\r\n \r\n', '\uFEFF']) assert.deepEqual(await idsOf(text), []);
  });

  it('have an id of 1,024 bytes and refuse one of 1,025 by its line', async () => {
    assert.deepEqual(await idsOf(`${'x'.repeat(1_024)}\n`), ['x'.repeat(1_024)]);
    await assert.rejects(idsOf(`a\n\n${'x'.repeat(1_025)}\nb\n`), {
      code: 'INVALID_ARGUMENT',
      message: 'ids-file stdin: line 3: record id is 1025 bytes long; the limit is 1024. No store was touched',
    });
  });

  it('name the first wrong line with what is wrong, and nine others by their numbers', async () => {
    const wrong = 'a\u0007';
    await assert.rejects(idsOf(`a\n${wrong}\nb\n${wrong}\n`), {
      message:
        'ids-file stdin: line 2: record id "a\\u0007" has control characters (a newline, a NUL, a tab); remove them; wrong as well: line 4. No store was touched',
    });
    await assert.rejects(idsOf(`${wrong}\n`.repeat(12)), {
      message: /; wrong as well: lines 2, 3, 4, 5, 6, 7, 8, 9, 10 and 2 more\. No store was touched$/,
    });
  });

  it('that are no UTF-8, or endless, are wrong lines and do not hide those behind them', async () => {
    const latin = Buffer.concat([Buffer.from('a\n'), Buffer.from([0xe9, 0x0a]), Buffer.from('b\u0007\n')]);
    const says = `is not UTF-8 text, or longer than ${LINE_BYTES_MAX} bytes`;
    await assert.rejects(idsOf(latin), {
      message: `ids-file stdin: line 2: ${says}; wrong as well: line 3. No store was touched`,
    });
    const endless = Buffer.concat([Buffer.alloc(LINE_BYTES_MAX + 1, 0x78), Buffer.from('\na\n')]);
    await assert.rejects(idsOf(endless, 65_536), {
      message: `ids-file stdin: line 1: ${says}. No store was touched`,
    });
    assert.equal(LINE_BYTES_MAX, 8_388_608);
    const utf16 = Buffer.from('\uFEFFa\r\nb\r\n', 'utf16le');
    await assert.rejects(idsOf(utf16), /line 1: is not UTF-8 text/);
  });

  it('refuse an object among them', async () => {
    await assert.rejects(idsOf('a\n{"id":"b"}\n'), {
      message: 'ids-file stdin: line 2: an object among plain ids; write every line as an object. No store was touched',
    });
  });
});

describe('lines of objects', () => {
  it('have id, version, payload and notBefore, all but the id optional', async () => {
    const records = await readText(
      '{"id":"a"}\n \n {"id":"b","version":"2","payload":{"to":["x"]},"notBefore":"2026-11-30T10:00:00+01:00"}\r\n{"id":"c","version":"","payload":null,"notBefore":null}',
    );
    assert.deepEqual(records, [
      { id: 'a', version: '', payload: null, notBefore: null },
      { id: 'b', version: '2', payload: '{"to":["x"]}', notBefore: new Date('2026-11-30T09:00:00Z') },
      { id: 'c', version: '', payload: null, notBefore: null },
    ]);
  });

  it('take a whole number for the same text, and refuse one that JavaScript cannot hold', async () => {
    assert.deepEqual(await readText('{"id":42,"version":7}'), [
      { id: '42', version: '7', payload: null, notBefore: null },
    ]);
    const says =
      'ids-file stdin: line 1: id must be text or a whole number up to 9007199254740991; write it in quotes. No store was touched';
    for (const id of ['12345678901234567890', '1.5', 'true', '[1]', 'null'])
      await assert.rejects(readText(`{"id":${id}}`), { message: says }, id);
  });

  it('with a key twice are refused, since one of its values would be lost; a payload is its own matter', async () => {
    for (const line of ['{"id":"x","id":"y"}', '{"id":"x","payload":{"id":1},"\\u0069d" : "y"}']) {
      await assert.rejects(readText(`{"id":"a"}\n${line}`), {
        message: 'ids-file stdin: line 2: has "id" twice. No store was touched',
      });
    }
    const [record] = await readText('{"id":"x","payload":{"id":1,"a":"\\"id\\":2, {\\u0069","b":[{"id":3}]}}');
    assert.equal(record?.id, 'x');
  });

  it('take a whole number of 16 digits that JavaScript holds', async () => {
    assert.equal((await readText('{"id":9007199254740991}'))[0]?.id, '9007199254740991');
  });

  it('keep the numbers of a payload as they stood', async () => {
    const payload = '{"order":12345678901234567890,"price":1.10,"rate":1e3}';
    const [record] = await readText(`{"id":"a","payload":${payload}}`);
    assert.equal(record?.payload, payload);
    assert.ok(record !== undefined);
    assert.equal(JSON.stringify(offerOf(record)), `{"id":"a","version":"","payload":${payload}}`);
    assert.equal(JSON.stringify(parseExactly('[-0,"1.10",123456789012345]')), '[-0,"1.10",123456789012345]');
  });

  for (const [line, says] of [
    ['{"id":"a"', 'is not a JSON object; write {"id":"…"}, one a line'],
    ['{"version":"1"}', 'has no "id"'],
    ['{"id":"a","paylod":1}', '"paylod" is not known; an object has id, version, payload, notBefore'],
    ['{"id":""}', 'record id is empty; give it 1 to 1024 bytes'],
    ['{"id":"a","payload":"\\u0000"}', 'payload has a NUL or is not valid Unicode text'],
    ['{"id":"a","notBefore":1}', 'notBefore must be an instant in quotes: "2026-11-30T09:00:00Z"'],
    [
      '{"id":"a","notBefore":"tomorrow"}',
      'notBefore: "tomorrow" is not an instant; write ISO 8601 with a zone, for example 2026-11-30T09:00:00Z',
    ],
    [`{"id":"a","payload":"${'x'.repeat(1_048_575)}"}`, 'payload is 1048577 bytes long as JSON; the limit is 1048576'],
  ] as const) {
    it(`refuse one that ${says}`, async () => {
      await assert.rejects(readText(`{"id":"good"}\n${line}\n`, 65_536), {
        code: 'INVALID_ARGUMENT',
        message: `ids-file stdin: line 2: ${says}. No store was touched`,
      });
    });
  }
});

describe('where the ids come from', () => {
  it('--ids has commas between them; an empty text is an empty list, and a second one adds to the first', () => {
    assert.deepEqual(parseIds('a, b,,c ,'), ['a', 'b', 'c']);
    assert.deepEqual(parseIds(''), []);
    assert.deepEqual(parseIds('c', ['a']), ['a', 'c']);
    assert.throws(() => parseIds('x'.repeat(1_025)), { message: 'ids: an id is 1025 bytes long; the limit is 1024' });
  });

  it('both at once are refused, neither is nothing', async () => {
    const both = { message: '--ids and --ids-file exclude each other' };
    await assert.rejects(readIds({ ids: ['a'], idsFile: '-' }, host), both);
    assert.equal(await readIds({}, host), null);
  });

  it('a file is read from the working directory, and one that is not there is said', async () => {
    await withFile('a\nb\n', async (path) => {
      await using spool = await readIds({ idsFile: path }, host);
      assert.equal(spool?.count, 2);
    });
    await assert.rejects(readIds({ idsFile: '/nowhere/ids' }, host), {
      code: 'INVALID_ARGUMENT',
      message: "ids-file: /nowhere/ids can't be read (ENOENT)",
    });
    await assert.rejects(readIds({ idsFile: '/' }, host), { message: "ids-file: / can't be read (EISDIR)" });
  });
});

describe('what waits to be checked', () => {
  it('is the same from memory and from a file without a name', async () => {
    const records = Array.from({ length: 1_000 }, (_, at) => ({
      id: `id ${at} \u20AC`,
      version: at % 3 === 0 ? '' : 'v',
      payload: at % 2 === 0 ? null : '{"a":1.10}',
      notBefore: at % 5 === 0 ? new Date(at * 1_000) : null,
    }));
    const named = (): number => readdirSync(tmpdir()).filter((name) => name.startsWith('leasehold-ids-')).length;
    const before = named();
    for (const memoryBytesMax of [10_000_000, 10_000, 0]) {
      await using spool = new Spool(memoryBytesMax);
      for (const record of records) await spool.add(record);
      assert.equal(spool.inMemory() === null, memoryBytesMax < 10_000_000);
      const read = [];
      for await (const record of spool.read()) read.push(record);
      assert.deepEqual(read, records);
      assert.equal(named(), before, 'nobody else can open it');
    }
  });

  it('says where there is no room for it', async () => {
    const temporary = process.env['TMPDIR'];
    process.env['TMPDIR'] = '/nowhere';
    try {
      const spool = new Spool(0);
      await assert.rejects(spool.add({ id: 'a', version: '', payload: null, notBefore: null }), {
        code: 'INVALID_ARGUMENT',
        message:
          'the ids take more room than /nowhere has for them (ENOENT); name another place by TMPDIR, or give fewer',
      });
    } finally {
      if (temporary === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = temporary;
    }
  });
});
