import assert from 'node:assert/strict';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { Store } from '../../../src/ports/store.ts';
import { assertRefused, openStore, startOf, temporaryFolder } from './stage.ts';

/**
 * A store whose file is not there any more, under a process that has used it: a disk that is not mounted just now, a
 * folder that was moved. A new file in its place would know of no lease: the holder would be told that it lost, and
 * whoever asks next would be let in beside it.
 */

interface Gone {
  readonly store: Store;
  readonly path: string;
  readonly folder: string;
  readonly token: string;
}

async function takeIn(t: TestContext): Promise<Gone> {
  const folder = join(temporaryFolder(t), 'disk');
  const path = join(folder, 'store.db');
  const store = await openStore(t, path);
  const lease = await store.acquire(startOf('job'));
  assert.ok(lease.outcome === 'acquired');
  return { store, path, folder, token: lease.token };
}

function renew({ store, token }: Gone): ReturnType<Store['renew']> {
  return store.renew({ lock: 'job', token, leaseMs: null, progress: null, holderInfo: null });
}

test('a store whose folder was moved is unreachable, whatever is asked of it, and nothing is made in its place', async (t) => {
  const gone = await takeIn(t);
  const { store, path, folder, token } = gone;
  renameSync(folder, `${folder}-away`);
  for (const ask of [
    () => renew(gone),
    () => store.acquire(startOf('job')),
    () => store.status({ lock: null, limit: 10 }),
    () => store.release({ lock: 'job', token, status: 'success', afterMs: 0, lost: null }),
  ]) {
    await assertRefused(ask(), 'STORE_UNREACHABLE', /is not there any more.*not mounted/, path);
  }
  assert.equal(existsSync(folder), false);
});

test('a store that is back where it was goes on with what it knew', async (t) => {
  const gone = await takeIn(t);
  renameSync(gone.folder, `${gone.folder}-away`);
  await assertRefused(renew(gone), 'STORE_UNREACHABLE', /is not there any more/, gone.path);
  renameSync(`${gone.folder}-away`, gone.folder);
  assert.equal((await renew(gone)).outcome, 'renewed');
  assert.equal((await gone.store.acquire(startOf('job'))).outcome, 'skipped');
});

test('an empty mount point in its place is no store either', async (t) => {
  const gone = await takeIn(t);
  renameSync(gone.folder, `${gone.folder}-away`);
  mkdirSync(gone.folder);
  await assertRefused(renew(gone), 'STORE_UNREACHABLE', /is not there any more/, gone.path);
  assert.equal(existsSync(gone.path), false);
});

test('a new store that somebody else made in its place is the store from then on', async (t) => {
  const gone = await takeIn(t);
  rmSync(dirname(gone.path), { recursive: true });
  await assertRefused(renew(gone), 'STORE_UNREACHABLE', /is not there any more/, gone.path);
  const other = await openStore(t, gone.path);
  assert.equal(
    (await other.acquire(startOf('job'))).outcome,
    'acquired',
    'a process that starts knows of no store before',
  );
  const answer = await renew(gone);
  assert.ok(answer.outcome === 'lost' && answer.reason === 'unknown_token', answer.message);
});
