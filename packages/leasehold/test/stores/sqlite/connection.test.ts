import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test, type TestContext } from 'node:test';
import { isLeaseholdError } from '../../../src/errors.ts';
import { systemClock } from '../../../src/platform/system-clock.ts';
import { systemIds } from '../../../src/platform/system-ids.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import { SqliteConnection } from '../../../src/stores/sqlite/connection.ts';
import { SECOND, temporaryFolder } from './stage.ts';

/** What every transaction keeps to, whatever is done in it. */

test('commits are synced before they are answered: synchronous is FULL, the journal is WAL', async (t) => {
  const connection = connect(t);
  const pragmas = await connection.read(
    (session) => [
      session.get('pragma synchronous')?.['synchronous'],
      session.get('pragma journal_mode')?.['journal_mode'],
      session.get('pragma busy_timeout')?.['timeout'],
    ],
    SECOND,
  );
  assert.deepEqual(pragmas, [2, 'wal', 10]);
});

test('the clock of a write is read while nobody else can write, that of a look at any time', async (t) => {
  const path = join(temporaryFolder(t), 'store.db');
  const rival = new DatabaseSync(path, { timeout: 0 });
  t.after(() => rival.close());
  const canOthersWrite: boolean[] = [];
  const clock: Clock = {
    ...systemClock,
    read: () => {
      canOthersWrite.push(canWrite(rival));
      return systemClock.read();
    },
  };
  const connection = connect(t, path, clock);
  await connection.read(() => null, SECOND);
  assert.equal(canOthersWrite.at(-1), true);
  await connection.write(() => null, SECOND);
  assert.equal(canOthersWrite.at(-1), false);
});

test('what fails in a transaction leaves nothing of it, in a file and in memory', async (t) => {
  for (const path of [join(temporaryFolder(t), 'store.db'), ':memory:']) {
    const connection = connect(t, path);
    const fault = new Error('in the middle');
    const failed = connection.write((session) => {
      session.run("insert into locks (name) values ('half')");
      throw fault;
    }, SECOND);
    await assert.rejects(failed, (error) => isLeaseholdError(error, 'INTERNAL') && error.cause === fault);
    const names = await connection.write((session) => session.all('select name from locks'), SECOND);
    assert.deepEqual(names, [], path);
  }
});

test('a connection that SQLite complained of is not used again, unless the store is nowhere else', async (t) => {
  for (const [path, isKept] of [
    [join(temporaryFolder(t), 'store.db'), false],
    [':memory:', true],
  ] as const) {
    const connection = connect(t, path);
    const [before] = await connection.write((session) => [session], SECOND);
    await assert.rejects(connection.write((session) => session.exec('nonsense'), SECOND));
    const [after] = await connection.write((session) => [session], SECOND);
    assert.equal(before === after, isKept, path);
  }
});

function connect(
  t: TestContext,
  path: string = join(temporaryFolder(t), 'store.db'),
  clock: Clock = systemClock,
): SqliteConnection {
  const connection = new SqliteConnection({ path, name: 'a store', clock, ids: systemIds });
  t.after(() => connection.close());
  return connection;
}

function canWrite(database: DatabaseSync): boolean {
  try {
    database.exec('begin immediate; rollback');
    return true;
  } catch {
    return false;
  }
}
