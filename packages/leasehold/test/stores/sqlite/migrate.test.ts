import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openAtOnce } from './children.ts';
import { done, own } from './records/stage.ts';
import { dumpNewSchema, dumpSchema } from './schema-dump.ts';
import { assertRefused, changeFile, openStore, rowsIn, startOf, temporaryFolder } from './stage.ts';

const NEWER = "insert into migrations (version, name, breaking, applied_at) values (99, 'future', ";

test('the schema of a new store is the one in schema.dump.sql', async () => {
  const checkedIn = readFileSync(new URL('./schema.dump.sql', import.meta.url), 'utf8');
  assert.equal(await dumpNewSchema(), checkedIn, 'renew the dump as schema-dump.ts says, and read what changed');
});

test('opening installs the schema, and migrating again does nothing', async (t) => {
  const path = join(temporaryFolder(t), 'store.db');
  const store = await openStore(t, path);
  const before = dumpSchema(path);
  assert.deepEqual(await store.migrate(), { from: 3, to: 3 });
  assert.equal(dumpSchema(path), before);
});

test('a store in memory has its schema and is its own', async (t) => {
  const [one, other] = [await openStore(t, ':memory:'), await openStore(t, ':memory:')];
  assert.equal(one.name, 'sqlite::memory:');
  assert.equal((await one.acquire(startOf('job'))).outcome, 'acquired');
  assert.equal((await one.acquire(startOf('job'))).outcome, 'skipped');
  assert.equal((await other.acquire(startOf('job'))).outcome, 'acquired');
});

test('20 processes that open a new file at once find one schema and one store', async (t) => {
  const path = join(temporaryFolder(t), 'store.db');
  const locks = Array.from({ length: 20 }, (_, n) => `job-${n}`);
  const answers = await openAtOnce(t, path, locks);
  for (const answer of answers) assert.equal(answer.outcome, 'acquired', answer.message);
  assert.equal(dumpSchema(path), await dumpNewSchema());
  assert.deepEqual(rowsIn(path, 'select count(*) as count from locks'), [{ count: 20 }]);
  assert.deepEqual(rowsIn(path, 'select version from migrations order by version'), [
    { version: 1 },
    { version: 2 },
    { version: 3 },
  ]);
});

test('of 20 processes that open a new file at once for one lock, one has it', async (t) => {
  const path = join(temporaryFolder(t), 'store.db');
  const answers = await openAtOnce(
    t,
    path,
    Array.from({ length: 20 }, () => 'job'),
  );
  const outcomes = answers.map((answer) => answer.outcome ?? answer.message).toSorted();
  assert.deepEqual(outcomes, ['acquired', ...Array.from({ length: 19 }, () => 'skipped')]);
});

test('a schema that a newer Leasehold made is refused politely and left alone', async (t) => {
  const path = join(temporaryFolder(t), 'store.db');
  await (await openStore(t, path)).close();
  changeFile(path, `${NEWER} 1, 0)`);
  const before = dumpSchema(path);
  await assertRefused(
    openStore(t, path),
    'SCHEMA_NEWER',
    / was made by a newer Leasehold: its schema has version 99, this one knows 3. Nothing was changed; update Leasehold here$/,
    path,
  );
  assert.equal(dumpSchema(path), before);
});

test('a schema that became newer under an open store is refused at the next migration', async (t) => {
  const path = join(temporaryFolder(t), 'store.db');
  const store = await openStore(t, path);
  changeFile(path, `${NEWER} 1, 0)`);
  await assertRefused(store.migrate(), 'SCHEMA_NEWER', /version 99/, path);
});

test('a newer schema that breaks nothing for older code is used as it is', async (t) => {
  const path = join(temporaryFolder(t), 'store.db');
  await (await openStore(t, path)).close();
  changeFile(path, `${NEWER} 0, 0); alter table locks add column of_the_future text`);
  const store = await openStore(t, path);
  assert.equal((await store.acquire(startOf('job'))).outcome, 'acquired');
  assert.deepEqual(await store.migrate(), { from: 99, to: 99 });
});

test("another program's database is unusable, and stays as it is, down to its journal mode", async (t) => {
  const path = join(temporaryFolder(t), 'app.db');
  changeFile(path, 'create table migrations (id integer, name text); create table customers (id integer)');
  const before = readFileSync(path);
  await assertRefused(
    openStore(t, path),
    'STORE_UNUSABLE',
    /its file is the database of another program; name a file of its own$/,
    path,
  );
  assert.deepEqual(readFileSync(path), before);
});

test('a store without records gets them, and keeps what it has', async (t) => {
  const path = join(temporaryFolder(t), 'store.db');
  const before = readFileSync(new URL('../../../src/stores/sqlite/migrations/0001-lock.sql', import.meta.url), 'utf8');
  changeFile(
    path,
    `create table migrations (
      version integer not null constraint migrations_pkey primary key,
      name text not null, breaking integer not null, applied_at integer not null
    ) strict;
    insert into migrations values (1, 'lock', 1, 0);
    ${before}
    insert into locks (name, fence) values ('job', 7);`,
  );
  const store = await openStore(t, path);
  assert.deepEqual(await store.migrate(), { from: 3, to: 3 });
  assert.deepEqual(await store.pools({ pool: null, limit: 10 }), []);
  const answer = await store.acquire(startOf('job'));
  assert.equal('fence' in answer && answer.fence, 8);
  assert.deepEqual(await store.events({ lock: null, kind: null, pool: 'mails', limit: 10 }), []);
});

test('records that arrived before there was room for them are claimed, begun and done as all others', async (t) => {
  const path = join(temporaryFolder(t), 'store.db');
  const [lock, records] = ['0001-lock', '0002-records'].map((name) =>
    readFileSync(new URL(`../../../src/stores/sqlite/migrations/${name}.sql`, import.meta.url), 'utf8'),
  );
  changeFile(
    path,
    `create table migrations (
      version integer not null constraint migrations_pkey primary key,
      name text not null, breaking integer not null, applied_at integer not null
    ) strict;
    insert into migrations values (1, 'lock', 1, 0), (2, 'records', 1, 0);
    ${lock} ${records}
    insert into pools (pool, created_at) values ('orders', 0);
    insert into records (pool, id, effect_key, created_at, updated_at) values ('orders', 'a', 'k', 0, 0), ('orders', 'b', 'l', 0, 0);`,
  );
  const store = await openStore(t, path);
  const token = await own(store, ['a', 'b']);
  const { verdicts, begins } = await store.work({
    pool: 'orders',
    verdicts: [done('a', token, 'ref-a')],
    begins: [{ id: 'b', token }],
  });
  assert.deepEqual(
    [...verdicts, ...begins].map(({ outcome }) => outcome),
    ['accepted', 'accepted'],
  );
  assert.deepEqual(rowsIn(path, 'select id, state, is_begun from records order by id'), [
    { id: 'a', state: 'done', is_begun: 0 },
    { id: 'b', state: 'claimed', is_begun: 1 },
  ]);
});

test('a migration that did not finish has left nothing, and the next process installs it', async (t) => {
  const path = join(temporaryFolder(t), 'store.db');
  // As far as a process came that was killed: its transaction is open, and ends with it.
  changeFile(path, 'pragma journal_mode = wal; begin immediate; create table migrations (version integer) strict;');
  const store = await openStore(t, path);
  assert.equal((await store.acquire(startOf('job'))).outcome, 'acquired');
});
