/** Tables as people have them: odd names and types, views, partitions, triggers, rules. What can't work is said by "check". */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { POSTGRES_VERSIONS } from '../postgres.ts';
import { type Bench, openPostgres, openSqlite, OwnTable, printSteps } from './bench.ts';

/** What "check" says of a table: problems, then what is worth knowing. */
async function findings(bench: Bench, table: string, options: readonly string[] = []): Promise<string[]> {
  const steps = await printSteps(['--table', table, '--dialect', bench.dialect, ...options]);
  const rows = await bench.query(steps.get('check')?.sql ?? '');
  return rows.map((row) => `${Number(row['is_problem']) === 1 ? 'problem' : 'note'}: ${String(row['finding'])}`);
}

const COLUMNS = ['status', 'claimed_at', 'claimed_by', 'claim_token', 'claimed_until', 'begun_at', 'attempts'];
const NO_KEY =
  'problem: No unique index is on exactly the columns of the id: two rows with one id would be claimed as one.';
const NULL_KEY = 'note: Column id of the id may be null: rows without it are never claimed.';

function describeOnBoth(engine: string, open: () => Promise<Bench>): void {
  describe(`odd tables on ${engine}`, () => {
    let bench: Bench;
    before(async () => {
      bench = await open();
    });
    after(async () => await bench[Symbol.asyncDispose]());

    it('a table with the columns, the indexes and a key has no finding, however it is keyed', async () => {
      const table = await OwnTable.withRows(bench, 1);
      assert.deepEqual(await findings(bench, table.name), []);
      await bench.query('create table pairs (b integer not null, a integer not null, unique (b, a))');
      await OwnTable.of(bench, 'pairs', ['--id-column', 'a,b']);
      assert.deepEqual(await findings(bench, 'pairs', ['--id-column', 'a,b']), []);
      assert.deepEqual(await findings(bench, 'pairs', ['--id-column', 'a']), [NO_KEY]);
    });

    it('a table that is not there, and one without the columns, are said', async () => {
      const none =
        bench.dialect === 'postgres'
          ? 'There is no such table, or this role may not see its schema.'
          : 'There is no such table in this file.';
      assert.deepEqual(await findings(bench, 'nowhere'), [`problem: ${none}`]);
      await bench.query('create table bare (no integer primary key)');
      assert.deepEqual(
        (await findings(bench, 'bare')).toSorted(),
        [
          ...COLUMNS.map((column) => `problem: Column ${column} is missing: run "add".`),
          `problem: Column id of the id is missing: name the table's own key with --id-column.`,
          NO_KEY,
        ].toSorted(),
      );
      const steps = await printSteps(['--table', 'bare', '--dialect', bench.dialect, '--id-column', 'no']);
      for (const [name, { sql, values }] of steps) {
        if (['add', 'default', 'index', 'check', 'why'].includes(name)) continue;
        await assert.rejects(
          bench.query(sql, Object.fromEntries(values.map((value) => [value, '[]'])), values),
          /column/,
          name,
        );
      }
    });

    it('a key that is not unique is a problem', async () => {
      await bench.query('create table doubles (id integer)');
      await OwnTable.of(bench, 'doubles');
      assert.deepEqual(await findings(bench, 'doubles'), [NO_KEY, NULL_KEY]);
      await bench.query("create unique index partly on doubles (id) where status = 'queued'");
      assert.deepEqual(await findings(bench, 'doubles'), [NO_KEY, NULL_KEY]);
    });

    it('a view is a problem, and so its table is named', async () => {
      const table = await OwnTable.withRows(bench, 1);
      await bench.query(`create view ${table.name}_view as select * from ${table.name}`);
      assert.deepEqual(await findings(bench, `${table.name}_view`), [
        "problem: This is no table but a view: name the table behind it, since its rows can't be claimed safely.",
      ]);
    });

    it('adding the columns again, or to a table that has some, changes no row', async () => {
      const table = await OwnTable.withRows(bench, 2);
      const { token } = await table.claim();
      await table.run('done', { id: 1, token });
      const stored = [await table.row(1), await table.row(2)];
      const again = await OwnTable.of(bench, table.name);
      assert.deepEqual([await again.row(1), await again.row(2)], stored);
    });

    it('rows that were there before the columns are left alone until somebody queues them', async () => {
      await bench.query('create table older (id integer primary key)');
      await bench.query('insert into older (id) values (1), (2)');
      const table = await OwnTable.of(bench, 'older');
      assert.deepEqual((await table.claim()).ids, []);
      await bench.query("update older set status = 'queued' where id = 2");
      assert.deepEqual((await table.claim()).ids, [2]);
    });
  });
}

describeOnBoth('SQLite', openSqlite);
for (const version of POSTGRES_VERSIONS) describeOnBoth(`PostgreSQL ${version}`, () => openPostgres(version));

describe('odd tables of SQLite', () => {
  it('a virtual table is a problem; a trigger runs, and is said', async () => {
    await using bench = await openSqlite();
    await bench.query('create virtual table words using fts5 (id)');
    assert.ok(
      (await findings(bench, 'words')).includes(
        'problem: This is a virtual table: name an ordinary one, since its module decides what an update does.',
      ),
    );
    const table = await OwnTable.withRows(bench, 1);
    await bench.query(`create table log (id integer, status text)`);
    await bench.query(
      `create trigger told after update on ${table.name} begin insert into log values (new.id, new.status); end`,
    );
    assert.deepEqual(await findings(bench, table.name), [
      'note: Trigger told runs on each claim, begin, verdict and sweep, as on any update.',
    ]);
    await table.claim();
    assert.equal((await bench.query('select * from log')).length, 1);
  });

  it('a strict table without a rowid is claimed like any other', async () => {
    await using bench = await openSqlite();
    await bench.query('create table tight (id text primary key) strict, without rowid');
    const table = await OwnTable.of(bench, 'tight', ['--explicit-begin']);
    await bench.query("insert into tight (id, status) values ('a', 'queued'), ('b', 'queued')");
    assert.deepEqual(await findings(bench, 'tight'), []);
    const [row] = await table.run('next', { holder: 'h' });
    const token = row?.['claim_token'];
    assert.equal((await table.run('begin', { id: 'a', token })).length, 1);
    assert.equal((await table.run('done', { id: 'a', token })).length, 1);
    await table.endLeases();
    assert.equal((await table.run('sweep')).length, 1);
    assert.deepEqual(await table.counts(), { done: 1, queued: 1 });
  });

  it('a table of an attached file is reached by its schema, indexes and check included', async () => {
    await using bench = await openSqlite();
    await bench.query(`attach ':memory:' as aside`);
    await bench.query('create table aside.jobs (id integer primary key)');
    const table = await OwnTable.of(bench, 'aside.jobs');
    assert.deepEqual(await findings(bench, 'aside.jobs'), []);
    await bench.query("insert into aside.jobs (id, status) values (1, 'queued')");
    assert.deepEqual((await table.claim()).ids, [1]);
    assert.equal((await bench.query("select * from aside.sqlite_master where type = 'index'")).length, 3);
  });
});

for (const version of POSTGRES_VERSIONS) {
  describe(`odd tables of PostgreSQL ${version}`, () => {
    let bench: Bench;
    before(async () => {
      bench = await openPostgres(version);
    });
    after(async () => await bench[Symbol.asyncDispose]());

    it('rows that are inserted after "default" are queued by themselves', async () => {
      await bench.query('create table fresh (id integer primary key)');
      const table = await OwnTable.of(bench, 'fresh');
      await bench.query(table.step('default').sql);
      await bench.query('insert into fresh (id) values (1)');
      assert.deepEqual((await table.claim()).ids, [1]);
    });

    it('ids of text, uuid and bigint, and a status of an enum, go through all statements', async () => {
      await bench.query("create type state as enum ('queued', 'claimed', 'done', 'failed', 'review')");
      for (const [type, id] of [
        ['text', "o'b\\r,i{e}n"],
        ['uuid', '00000000-0000-4000-8000-000000000001'],
        ['bigint', '9007199254740993'],
      ] as const) {
        const name = `keyed_${type}`;
        await bench.query(`create table ${name} (id ${type} primary key, status state)`);
        const table = await OwnTable.of(bench, name, ['--explicit-begin', '--redo', 'safe', '--attempts', '3']);
        await bench.query(`insert into ${name} (id, status) values ($1, 'queued')`, { id }, ['id']);
        const claim = async (): Promise<string> => {
          const ids = JSON.stringify([id]);
          const [row] = await table.run('ids', { holder: 'h', ids });
          assert.equal(String(row?.['id']), id);
          return String(row?.['claim_token']);
        };
        const token = await claim();
        assert.equal((await table.run('begin', { id, token })).length, 1);
        await table.endLeases();
        assert.equal((await table.run('sweep')).length, 1, 'its work may be repeated');
        const again = await claim();
        assert.equal((await table.run('failed', { id, token: again }))[0]?.['status'], 'queued');
        assert.equal((await table.run('done', { id, token: await claim() })).length, 1);
        assert.deepEqual(await findings(bench, name), []);
        const careful = await OwnTable.of(bench, name);
        await bench.query(`update ${name} set status = 'queued'`);
        await careful.claim();
        await careful.endLeases();
        assert.equal((await careful.run('sweep'))[0]?.['status'], 'review');
      }
    });

    it('an id of a domain, beside a column whose domain is never null, is claimed by id', async () => {
      await bench.query('create domain sku as text check (length(value) < 9)');
      await bench.query('create domain cents as integer not null');
      await bench.query('create table goods (id sku primary key, price cents)');
      const table = await OwnTable.of(bench, 'goods');
      assert.deepEqual(await table.run('ids', { holder: 'h', ids: '[]' }), []);
      await bench.query("insert into goods (id, price, status) values ('a', 1, 'queued'), ('b', 2, 'queued')");
      const rows = await table.run('ids', { holder: 'h', ids: '["b", "c", null]' });
      assert.deepEqual(
        rows.map((row) => [row['id'], row['price']]),
        [['b', 2]],
      );
      assert.equal((await table.run('why', { ids: '["b"]' })).length, 1);
      assert.deepEqual(await findings(bench, 'goods'), []);
    });

    it('columns of another type are said, each with what it must be', async () => {
      await bench.query(
        'create table typed (id integer primary key, status boolean, claimed_at timestamp, claim_token uuid, attempts text)',
      );
      await OwnTable.of(bench, 'typed').catch(() => {});
      assert.deepEqual(await findings(bench, 'typed'), [
        'problem: Column attempts is text; it must be integer.',
        'problem: Column claim_token is uuid; it must be text.',
        'problem: Column claimed_at is timestamp without time zone; it must be timestamptz.',
        'problem: Column status is boolean; it must be text.',
      ]);
    });

    it('a materialised view, a foreign table and a sequence are no tables', async () => {
      const table = await OwnTable.withRows(bench, 1);
      await bench.query(`create materialized view seen as select * from ${table.name}`);
      await bench.query('create sequence counter');
      const about = async (name: string): Promise<string | undefined> =>
        (await findings(bench, name)).find((each) => each.includes('This is no table but'));
      assert.equal(
        await about('seen'),
        "problem: This is no table but a materialized view: name the table behind it, since its rows can't be claimed safely.",
      );
      assert.equal(
        await about('counter'),
        "problem: This is no table but a relation of another kind: name the table behind it, since its rows can't be claimed safely.",
      );
      await bench.query('create foreign data wrapper nothing');
      await bench.query('create server nowhere foreign data wrapper nothing');
      await bench.query('create foreign table lines (id text) server nowhere');
      assert.equal(
        await about('lines'),
        "problem: This is no table but a foreign table: name the table behind it, since its rows can't be claimed safely.",
      );
    });

    it('a table that is partitioned by its id is claimed like any other', async () => {
      await bench.query('create table split (id integer primary key, payload text) partition by hash (id)');
      for (const part of [0, 1]) {
        await bench.query(
          `create table split_${part} partition of split for values with (modulus 2, remainder ${part})`,
        );
      }
      const table = await OwnTable.of(bench, 'split', ['--limit', '4', '--explicit-begin']);
      await bench.query("insert into split (id, status) select i, 'queued' from generate_series(1, 10) as i");
      assert.deepEqual(await findings(bench, 'split'), []);
      const other = await bench.connect();
      await bench.query('begin');
      const claims = [await table.claim('one'), await table.claim('two', other)];
      await bench.query('commit');
      assert.deepEqual(
        claims.map(({ ids }) => ids),
        [
          [1, 2, 3, 4],
          [5, 6, 7, 8],
        ],
      );
      for (const id of [1, 4]) {
        assert.equal((await table.run('begin', { id, token: claims[0]?.token })).length, 1);
        assert.equal((await table.run('done', { id, token: claims[0]?.token })).length, 1);
      }
      await table.endLeases();
      assert.equal((await table.run('sweep')).length, 6);
      assert.deepEqual(await table.counts(), { done: 2, queued: 8 });
    });

    it('a table that is partitioned by its status is a problem', async () => {
      await bench.query('create table by_status (id integer, status text) partition by list (status)');
      assert.ok(
        (await findings(bench, 'by_status')).includes(
          'problem: It is partitioned by status, which a claim changes: rows would move while they are claimed.',
        ),
      );
    });

    it('triggers run; one that stops the update stops the claim, and nothing comes back', async () => {
      const table = await OwnTable.withRows(bench, 2);
      await bench.query(`create function stop_one() returns trigger language plpgsql as
        $$ begin return case when new.id = 1 then null else new end; end $$`);
      await bench.query(`create trigger stops before update on ${table.name} for each row execute function stop_one()`);
      await bench.query(
        `create trigger inserts before insert on ${table.name} for each row execute function stop_one()`,
      );
      await bench.query(
        `create trigger asleep before update on ${table.name} for each row execute function stop_one()`,
      );
      await bench.query(`alter table ${table.name} disable trigger asleep`);
      assert.deepEqual((await table.claim()).ids, [2]);
      assert.deepEqual(await findings(bench, table.name), [
        'note: Trigger stops runs on each claim, begin, verdict and sweep, as on any update, and before it: a row for which it returns null is never claimed.',
      ]);
    });

    it('a rule on updates is a problem, row security is said', async () => {
      const table = await OwnTable.withRows(bench, 1);
      await bench.query(`alter table ${table.name} enable row level security`);
      await bench.query(`create rule elsewhere as on update to ${table.name} do instead nothing`);
      assert.deepEqual(await findings(bench, table.name), [
        'problem: Rule elsewhere rewrites its updates: what a claim writes may never reach the table.',
        'note: Row security is on: a claim sees only the rows that its role may see and update.',
      ]);
    });

    it('a claim uses the printed index, and reads no row that is done', async () => {
      const table = await OwnTable.withRows(bench, 20_000);
      await bench.query(`update ${table.name} set status = 'done' where id <= 19900`);
      await bench.query(`vacuum analyze ${table.name}`);
      const plan = await bench.query(`explain (analyze, buffers off, format json) ${table.step('next').sql}`, {
        holder: 'h',
      });
      const text = JSON.stringify(plan);
      assert.match(text, new RegExp(`leasehold_free_${table.name}`));
      assert.doesNotMatch(text, /"Node Type":"Seq Scan"/);
    });
  });
}
