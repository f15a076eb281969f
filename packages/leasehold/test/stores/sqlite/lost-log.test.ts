import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { RenewAnswer } from '../../../src/domain/answers.ts';
import type { Store } from '../../../src/ports/store.ts';
import { takeElsewhere } from './children.ts';
import { openStore, rowsIn, startOf, temporaryFolder } from './stage.ts';

/** The log (`-wal`) and its index (`-shm`) are deleted under an open store, and another process comes. */

const seesItsFiles = process.platform === 'linux';

for (const stays of [true, false]) {
  const [who, skip] = stays ? ['stays', false] : ['has gone again', !seesItsFiles];
  test(`without log and index the next process begins anew; the holder is told that it lost, where the other ${who}`, {
    skip,
  }, async (t) => {
    for (const isNew of [true, false]) {
      const path = await newStore(t, isNew);
      const holder = await openStore(t, path);
      const token = await take(holder);
      deleteBeside(path, ['-wal', '-shm']);
      assert.equal((await takeElsewhere(t, path, 'job', stays)).outcome, 'acquired');
      const answer = await renew(holder, token);
      assert.ok(answer.outcome === 'lost' && answer.reason === 'unknown_token', answer.message);
      assert.equal((await holder.acquire(startOf('job'))).outcome, 'skipped');
      const runs = rowsIn(path, 'select run_id, outcome from runs order by seq').map((row) => Object.values(row));
      assert.deepEqual(runs[0], ['job', 'acquired'], 'the run of the other is kept');
      assert.deepEqual([runs.length, runs[1]?.[1]], [2, 'skipped']);
    }
  });
}

test('without log and index the holder saves what is in them, if it is the first to come', async (t) => {
  const path = await newStore(t, false);
  const holder = await openStore(t, path);
  const token = await take(holder);
  deleteBeside(path, ['-wal', '-shm']);
  assert.equal((await renew(holder, token)).outcome, 'renewed');
  assert.equal((await takeElsewhere(t, path, 'job', false)).outcome, 'skipped');
});

for (const stays of [true, false]) {
  const [who, skip] = stays ? ['stays', false] : ['has gone again', !seesItsFiles];
  test(`without the index alone nothing is lost that either side has written, where the other ${who}`, {
    skip,
  }, async (t) => {
    const path = await newStore(t, false);
    const holder = await openStore(t, path);
    const token = await take(holder);
    deleteBeside(path, ['-shm']);
    assert.equal((await takeElsewhere(t, path, 'job', stays)).outcome, 'skipped');
    assert.equal((await renew(holder, token)).outcome, 'renewed');
    assert.equal((await takeElsewhere(t, path, 'job', false)).outcome, 'skipped');
    assert.deepEqual(
      rowsIn(path, 'select outcome from runs order by seq').map((row) => row['outcome']),
      ['acquired', 'skipped', 'skipped'],
    );
  });
}

test('without the log alone others are refused and told why, and the next call of the holder mends it', async (t) => {
  const path = await newStore(t, false);
  const holder = await openStore(t, path);
  const token = await take(holder);
  deleteBeside(path, ['-wal']);
  const refused = await takeElsewhere(t, path, 'job', false);
  assert.equal(refused.code, 'STORE_UNREACHABLE', refused.message);
  assert.match(refused.message, /the log beside it \(-wal\).*End the processes that use it/);
  assert.equal((await renew(holder, token)).outcome, 'renewed');
  assert.equal((await takeElsewhere(t, path, 'job', false)).outcome, 'skipped');
});

test('two stores of one process on one file come back together', async (t) => {
  const path = await newStore(t, false);
  const [one, two] = [await openStore(t, path), await openStore(t, path)];
  const token = await take(one);
  await two.acquire(startOf('job'));
  deleteBeside(path, ['-wal', '-shm']);
  assert.equal((await takeElsewhere(t, path, 'job', true)).outcome, 'acquired');
  assert.equal((await renew(one, token)).outcome, 'lost');
  assert.equal((await two.acquire(startOf('other'))).outcome, 'acquired');
  assert.equal((await takeElsewhere(t, path, 'other', false)).outcome, 'skipped');
});

/** A store whose database file has its tables, or (`isNew`) one that is still to be made. */
async function newStore(t: TestContext, isNew: boolean): Promise<string> {
  const path = join(temporaryFolder(t), 'store.db');
  if (!isNew) await (await openStore(t, path)).close();
  return path;
}

async function take(store: Store): Promise<string> {
  const lease = await store.acquire(startOf('job'));
  assert.ok(lease.outcome === 'acquired', lease.message);
  return lease.token;
}

function renew(store: Store, token: string): Promise<RenewAnswer> {
  return store.renew({ lock: 'job', token, leaseMs: null, progress: null, holderInfo: null });
}

function deleteBeside(path: string, endings: readonly string[]): void {
  for (const ending of endings) rmSync(`${path}${ending}`);
}
