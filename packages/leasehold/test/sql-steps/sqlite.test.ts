/** What is SQLite's own in the printed statements: one writer, a token for all rows, and when the clock is read. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, before, describe, it } from 'node:test';
import { type Bench, openSqlite, OwnTable } from './bench.ts';

describe("the statements for one's own table beside one another, on SQLite", () => {
  let bench: Bench;
  before(async () => {
    bench = await openSqlite();
    await bench.query('pragma journal_mode = wal');
  });
  after(async () => await bench[Symbol.asyncDispose]());

  it('two connections that claim in turn own each row once', async () => {
    const table = await OwnTable.withRows(bench, 6, ['--limit', '2']);
    const other = await bench.connect();
    const claims = [await table.claim('one'), await table.claim('two', other), await table.claim('one')];
    assert.deepEqual(
      claims.map(({ ids }) => ids),
      [
        [1, 2],
        [3, 4],
        [5, 6],
      ],
    );
    assert.equal(new Set(claims.map(({ token }) => token)).size, 3);
  });

  it('a claim that waited for another writer has its whole lease', async () => {
    const table = await OwnTable.withRows(bench, 1, ['--lease', '60s']);
    const writer = spawn(process.execPath, [
      '--input-type=module',
      '--eval',
      `import { DatabaseSync } from 'node:sqlite';
       const database = new DatabaseSync(${JSON.stringify(bench.url)});
       database.exec('begin immediate');
       console.log('held');
       setTimeout(() => { console.log(Date.now()); database.exec('commit'); }, 1_000);`,
    ]);
    const said: string[] = [];
    writer.stdout.setEncoding('utf8').on('data', (text: string) => said.push(text));
    await once(writer.stdout, 'data');
    const askedAt = Date.now();
    await table.claim();
    await once(writer, 'close');
    const freedAt = Number(said.join('').split('\n')[1]);
    assert.ok(freedAt - askedAt > 500, 'it waited');
    const until = Date.parse(String((await table.row(1))['claimed_until']));
    assert.ok(until >= freedAt + 60_000, `${until - freedAt} ms after the other was done`);
  });

  it('a token drawn for each row would make one claim many', async () => {
    const table = await OwnTable.withRows(bench, 3);
    const careless = table
      .step('next')
      .sql.replace('(select lower(hex(randomblob(16))))', 'lower(hex(randomblob(16)))');
    const rows = await bench.query(careless, { holder: 'h' });
    assert.equal(new Set(rows.map((row) => row['claim_token'])).size, 3);
  });

  it('a column that is missing is said, and never taken for a text', async () => {
    await bench.query('create table plain (id integer primary key)');
    const steps = (await OwnTable.withRows(bench, 1)).steps;
    for (const [name, { sql, values }] of steps) {
      if (['add', 'default', 'index', 'check'].includes(name)) continue;
      const given = Object.fromEntries(values.map((value) => [value, '[]']));
      await assert.rejects(
        bench.query(sql.replaceAll(/"orders_\d+"/g, '"plain"'), given),
        /no such column: (?:t\.|p\.)?"?\w+"?/,
        name,
      );
    }
  });
});
