/** Stores that can't be used, as a user of the command line meets them: exit code, one line, the store's name. */
import assert from 'node:assert/strict';
import { statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { cannotMount, mountMemory, remountReadOnly } from '../stores/sqlite/mounts.ts';
import { type Bench, openBench } from './command-line.ts';

/** `acquire` and `run` on a store that can't be used: the code, one line that names it, and nothing is started. */
async function assertRefused(bench: Bench, url: string, exitCode: 69 | 78, says: RegExp, name = url): Promise<void> {
  const acquired = await bench.run(['acquire', 'a', '--lease', '5m', '--store', url]);
  const ran = await bench.run(['run', 'a', '--store', url, '--', 'echo', 'ran']);
  for (const { code, stdout, stderr } of [acquired, ran]) {
    assert.equal(code, exitCode, stderr);
    assert.equal(stdout, '');
    assert.match(stderr, /^leasehold: [^\n]+\n$/);
    assert.match(stderr, says);
    assert.match(stderr, /nothing was started/);
    assert.ok(stderr.includes(name), `${stderr} names ${name}`);
  }
}

describe('the embedded store', () => {
  it('a directory is exit 78', async () => {
    await using bench = openBench();
    await assertRefused(bench, `sqlite:${bench.folder}`, 78, /is a directory/);
  });

  it('a file that is no database is exit 78', async () => {
    await using bench = openBench();
    const file = join(bench.folder, 'notes.txt');
    writeFileSync(file, 'not a database\n'.repeat(200));
    await assertRefused(bench, `sqlite:${file}`, 78, /not a SQLite database/);
  });

  it('a newer schema is exit 78, politely', async () => {
    await using bench = openBench();
    await bench.run(['migrate']);
    {
      using rows = new DatabaseSync(bench.store.slice('sqlite:'.length));
      rows.exec(`insert into migrations (version, name, breaking, applied_at) values (99, 'future', 1, 0)`);
    }
    await assertRefused(bench, bench.store, 78, /made by a newer Leasehold.*update Leasehold/);
    assert.equal((await bench.run(['status'])).code, 78);
  });

  it('a read-only file system is exit 69', { skip: cannotMount }, async (t) => {
    await using bench = openBench();
    const folder = mountMemory(t, 'size=4m');
    const url = `sqlite:${join(folder, 'leasehold.db')}`;
    assert.equal((await bench.run(['migrate', '--store', url])).code, 0);
    remountReadOnly(folder);
    await assertRefused(bench, url, 69, /may not write|read-only/);
  });

  it('a full disk is exit 69, and when there is room again nothing is left to mend', {
    skip: cannotMount,
  }, async (t) => {
    await using bench = openBench();
    const folder = mountMemory(t, 'size=1m');
    const url = `sqlite:${join(folder, 'leasehold.db')}`;
    assert.equal((await bench.run(['migrate', '--store', url])).code, 0);
    const filler = join(folder, 'filler');
    const { bavail, bsize } = statfsSync(folder);
    writeFileSync(filler, Buffer.alloc(bavail * bsize));
    await assertRefused(bench, url, 69, /its disk (is full|reports an error)/);
    writeFileSync(filler, '');
    assert.equal((await bench.run(['run', 'a', '--store', url, '--', 'true'])).code, 0);
  });

  it('an unknown scheme and a bare path are exit 78, with what to write', async () => {
    await using bench = openBench();
    await assertRefused(bench, 'redis://localhost', 78, /"redis:"; write sqlite:PATH/, '');
    await assertRefused(bench, 'x/leasehold.db', 78, /write sqlite:PATH/, '');
  });

  it('credentials in a URL that makes no sense are not repeated', async () => {
    await using bench = openBench();
    for (const url of ['mysql://me:geheim@host/db', 'me:geheim@host', 'postgres://me:ge/heim@host/db']) {
      const { code, stderr } = await bench.run(['status', '--store', url]);
      assert.equal(code, 78);
      assert.doesNotMatch(stderr, /geheim|heim/);
    }
  });
});

describe('a PostgreSQL URL with an older word for its TLS', () => {
  it('is taken as the driver takes it, without the driver’s warning of several lines on stderr', async () => {
    await using bench = openBench();
    for (const mode of ['prefer', 'require', 'verify-ca']) {
      const url = `postgres://jobs@127.0.0.1:1/jobs?sslmode=${mode}`;
      await assertRefused(bench, url, 69, /ECONNREFUSED/, 'postgres://jobs@127.0.0.1:1/jobs');
    }
  });
});
