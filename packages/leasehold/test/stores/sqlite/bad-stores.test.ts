import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test, type TestContext } from 'node:test';
import { openAsNobody } from './children.ts';
import { cannotMount, mountAlone, mountMemory, remountReadOnly, remountWritable } from './mounts.ts';
import { assertRefused, changeFile, openStore, rowsIn, startOf, temporaryFolder } from './stage.ts';

/** Stores that can't be used, and stores that can't be reached: each is refused by its code, in words that help. */

test('a directory is unusable', async (t) => {
  const folder = temporaryFolder(t);
  await assertRefused(openStore(t, folder), 'STORE_UNUSABLE', /it is a directory; name a file in it$/, folder);
});

test('a file that is not a database is unusable, and stays as it is', async (t) => {
  for (const [name, content] of [
    ['long', 'not a database at all\n'.repeat(500)],
    ['short', 'hello'],
  ] as const) {
    const path = join(temporaryFolder(t), name);
    writeFileSync(path, content);
    await assertRefused(openStore(t, path), 'STORE_UNUSABLE', /not a SQLite database/, path);
    assert.equal(readFileSync(path, 'utf8'), content);
  }
});

test('an empty file becomes a store', async (t) => {
  const path = join(temporaryFolder(t), 'store.db');
  writeFileSync(path, '');
  const store = await openStore(t, path);
  assert.equal((await store.acquire(startOf('job'))).outcome, 'acquired');
});

test('a path below a file is unusable', async (t) => {
  const file = join(temporaryFolder(t), 'file');
  writeFileSync(file, '');
  const path = join(file, 'store.db');
  await assertRefused(openStore(t, path), 'STORE_UNUSABLE', /no file can be at this path/, path);
});

test('a file with a second name is unusable by either name, also where it has been used, until one is gone', async (t) => {
  const folder = temporaryFolder(t);
  const [one, two] = [join(folder, 'd1', 'store.db'), join(folder, 'd2', 'store.db')];
  const holder = await openStore(t, one);
  assert.equal((await holder.acquire(startOf('job'))).outcome, 'acquired');
  mkdirSync(dirname(two));
  linkSync(one, two);
  for (const path of [one, two])
    await assertRefused(
      openStore(t, path),
      'STORE_UNUSABLE',
      /its file has 2 names \(hard links\), but SQLite keeps a part of the store in files beside each name: two names are two stores. Remove all names but one \(find them with: find \/ -xdev -samefile FILE\), or make a copy$/,
      path,
    );
  rmSync(two);
  assert.equal((await (await openStore(t, one)).acquire(startOf('job'))).outcome, 'skipped');
});

test('a file that lost its end, its middle or its tables is unusable: damaged, and what to do', async (t) => {
  const whole = join(temporaryFolder(t), 'whole.db');
  const store = await openStore(t, whole);
  for (let n = 0; n < 50; n += 1) await store.acquire(startOf(`job-${n}`));
  await store.close();
  const bytes = readFileSync(whole);
  for (const length of [100, 4_096, 5_000, 8_192, bytes.length - 4_096]) {
    const path = join(temporaryFolder(t), 'store.db');
    writeFileSync(path, bytes.subarray(0, length));
    await assertRefused(useStore(t, path), 'STORE_UNUSABLE', /damaged .*restore it from a backup/, path);
  }
  for (const sql of ['drop table slots', 'alter table runs drop column loss_told']) {
    const path = join(temporaryFolder(t), 'store.db');
    writeFileSync(path, bytes);
    changeFile(path, sql);
    await assertRefused(useStore(t, path), 'STORE_UNUSABLE', /damaged .*no such/, path);
  }
  const odd = join(temporaryFolder(t), 'odd.db');
  changeFile(odd, 'create view migrations as select 1');
  await assertRefused(useStore(t, odd), 'STORE_UNUSABLE', /damaged .*already/, odd);
});

test('where no folder can be made the store is unreachable at once', {
  skip: process.platform !== 'linux',
}, async (t) => {
  const path = '/proc/.local/state/leasehold/store.db';
  const { status, stdout } = spawnSync(
    process.execPath,
    [fileURLToPath(new URL('./open-child.ts', import.meta.url)), path, 'job'],
    { input: 'go\n', encoding: 'utf8', timeout: 20_000 },
  );
  assert.equal(status, 0);
  assert.match(stdout, /"STORE_UNREACHABLE".*\/proc\/\.local/);
  await assertRefused(openStore(t, path), 'STORE_UNREACHABLE', /ENOENT|may not write/, path);
});

test('a pipe is unusable, and opening it waits for nobody', async (t) => {
  const path = join(temporaryFolder(t), 'pipe');
  if (spawnSync('mkfifo', [path]).status !== 0) {
    t.skip('this system has no mkfifo');
    return;
  }
  await assertRefused(openStore(t, path), 'STORE_UNUSABLE', /it is not a plain file; name another one$/, path);
});

test('missing folders are made, for this user alone, and so is the file', async (t) => {
  const folder = join(temporaryFolder(t), 'a', 'b');
  const path = join(folder, 'store.db');
  const store = await openStore(t, path);
  await store.acquire(startOf('job'));
  assert.equal(statSync(folder).mode & 0o777, 0o700);
  for (const file of [path, `${path}-wal`, `${path}-shm`]) assert.equal(statSync(file).mode & 0o777, 0o600, file);
});

test('the mode that somebody gave the file is left as it is', async (t) => {
  const path = join(temporaryFolder(t), 'store.db');
  writeFileSync(path, '');
  chmodSync(path, 0o660);
  await openStore(t, path);
  assert.equal(statSync(path).mode & 0o777, 0o660);
});

test('a link leads to the store, and a link to nowhere is refused', async (t) => {
  const folder = temporaryFolder(t);
  const path = join(folder, 'store.db');
  const link = join(folder, 'link.db');
  symlinkSync(path, link);
  await assertRefused(openStore(t, link), 'STORE_UNREACHABLE', /ENOENT/, link);
  const [store, linked] = [await openStore(t, path), await openStore(t, link)];
  await store.acquire(startOf('job'));
  assert.equal((await linked.acquire(startOf('job'))).outcome, 'skipped');
});

test('a file and a folder without write access are unreachable, not unusable', async (t) => {
  const { folder, path } = await worldReadableStore(t);
  chmodSync(path, 0o444);
  const readOnlyFile = await openAsNobody(t, path);
  assert.equal(readOnlyFile.code, 'STORE_UNREACHABLE', readOnlyFile.message);
  assert.match(readOnlyFile.message, /may not write/);
  chmodSync(path, 0o666);
  chmodSync(folder, 0o555);
  const readOnlyFolder = await openAsNobody(t, path);
  assert.equal(readOnlyFolder.code, 'STORE_UNREACHABLE', readOnlyFolder.message);
  chmodSync(folder, 0o777);
  const control = await openAsNobody(t, path);
  assert.equal(control.outcome, 'acquired', control.message);
});

test('a file that may not be read is forbidden', async (t) => {
  const { path } = await worldReadableStore(t);
  chmodSync(path, 0o000);
  const answer = await openAsNobody(t, path);
  assert.equal(answer.code, 'STORE_FORBIDDEN', answer.message);
  assert.match(answer.message ?? '', /: this user may not read its file; give access to it$/);
});

test('a read-only file system is unreachable, and used again once it is writable', { skip: cannotMount }, async (t) => {
  const folder = mountMemory(t, 'size=4m');
  const path = join(folder, 'store.db');
  const first = await openStore(t, path);
  await first.acquire(startOf('job'));
  await first.close();
  remountReadOnly(folder);
  await assertRefused(openStore(t, path), 'STORE_UNREACHABLE', /may not write/, path);
  const fresh = join(folder, 'new', 'store.db');
  await assertRefused(openStore(t, fresh), 'STORE_UNREACHABLE', /may not write/, fresh);
  remountWritable(folder);
  const store = await openStore(t, path);
  assert.equal((await store.acquire(startOf('job'))).outcome, 'skipped');
});

test('a full disk is unreachable, changes nothing, and the same store goes on once there is room', {
  skip: cannotMount,
}, async (t) => {
  const folder = mountMemory(t, 'size=2m');
  const path = join(folder, 'store.db');
  const store = await openStore(t, path);
  await store.acquire(startOf('before'));
  const filler = join(folder, 'filler');
  fill(filler);
  const refusals = Array.from({ length: 200 }, (_, n) => store.acquire(startOf(`job-${n}`)));
  const results = await Promise.allSettled(refusals);
  const refused = results.filter((result) => result.status === 'rejected');
  assert.ok(refused.length > 0, 'the disk was not full');
  for (const { reason } of refused) {
    await assertRefused(Promise.reject(reason as Error), 'STORE_UNREACHABLE', /disk/, path);
  }
  rmSync(filler);
  assert.equal((await store.acquire(startOf('before'))).outcome, 'skipped');
  assert.equal((await store.acquire(startOf('after'))).outcome, 'acquired');
  const acquired = results.filter((result) => result.status === 'fulfilled').length;
  const [row] = rowsIn(path, "select count(*) as count from runs where lock like 'job-%'");
  assert.equal(row?.['count'], acquired, 'what was refused has left no row');
});

test('an existing store on a full disk says that the disk is full, whatever is asked of it', {
  skip: cannotMount,
}, async (t) => {
  const folder = mountMemory(t, 'size=1m');
  const path = join(folder, 'store.db');
  await (await openStore(t, path)).close();
  fill(join(folder, 'filler'));
  await assertRefused(openStore(t, path), 'STORE_UNREACHABLE', /its disk is full/, path);
});

test('a new store on a full disk is unreachable and leaves nothing that jams it later', {
  skip: cannotMount,
}, async (t) => {
  const folder = mountMemory(t, 'size=1m');
  const filler = join(folder, 'filler');
  fill(filler);
  const path = join(folder, 'store.db');
  await assertRefused(openStore(t, path), 'STORE_UNREACHABLE', /disk/, path);
  rmSync(filler);
  const store = await openStore(t, path);
  assert.equal((await store.acquire(startOf('job'))).outcome, 'acquired');
});

test('a file that is mounted by itself is unusable: its log would be another one here', {
  skip: cannotMount,
}, async (t) => {
  const outside = join(temporaryFolder(t), 'outside.db');
  await (await openStore(t, outside)).close();
  const inside = mountAlone(t, outside);
  await assertRefused(
    openStore(t, inside),
    'STORE_UNUSABLE',
    /its file is mounted by itself, but SQLite keeps a part of the store in files beside it; mount the folder instead$/,
    inside,
  );
});

test('a store that was closed says so, and may be closed again', async (t) => {
  const path = join(temporaryFolder(t), 'store.db');
  const store = await openStore(t, path);
  await store.close();
  await store.close();
  await assertRefused(store.acquire(startOf('job')), 'STORE_UNREACHABLE', /was closed/, path);
});

/** A store that a user without rights may use, in a folder that lets him in. */
async function worldReadableStore(t: TestContext): Promise<{ folder: string; path: string }> {
  const top = temporaryFolder(t);
  chmodSync(top, 0o755);
  const folder = join(top, 'open');
  mkdirSync(folder);
  chmodSync(folder, 0o777);
  const path = join(folder, 'store.db');
  await (await openStore(t, path)).close();
  assert.equal(existsSync(`${path}-wal`), false, 'the last to close leaves the file alone');
  chmodSync(path, 0o666);
  return { folder, path };
}

/** Opens a store and writes to it. */
async function useStore(t: TestContext, path: string): Promise<void> {
  const store = await openStore(t, path);
  await store.acquire(startOf('job'));
  await store.status({ lock: null, limit: 100 });
  await store.runs({ lock: null, runId: null, limit: 100 });
}

/** Writes until the disk is full. */
function fill(path: string): void {
  const block = Buffer.alloc(4_096);
  for (let blocks = 0; blocks < 10_000; blocks += 1) {
    try {
      writeFileSync(path, block, { flag: 'a' });
    } catch (error) {
      assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC');
      return;
    }
  }
  assert.fail('the disk does not get full');
}
