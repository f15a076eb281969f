/** The password of a role in `.pgpass`, as the guide for cron has it: found, not warned of, and no other file's business. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type Bench, type Ended, openBench } from '../../cli/command-line.ts';
import { TestStore } from './database.ts';

describe('a password in .pgpass', () => {
  const role = `cron_${randomBytes(4).toString('hex')}`;
  let test: TestStore;
  let url: URL;
  before(async () => {
    test = await TestStore.open(18);
    const admin = await test.client();
    await admin.query(`create role ${role} login password 'p:a\\ss'`);
    await admin.query('select leasehold.grant_to($1)', [role]);
    url = new URL(test.database.url);
    url.username = role;
    url.password = '';
  });
  after(async () => {
    const admin = await test.client();
    await admin.query(`drop owned by ${role}`);
    await admin.query(`drop role ${role}`);
    await test[Symbol.asyncDispose]();
  });

  /** Runs `true` under a lock, with this text as the user's `.pgpass`. */
  function run(bench: Bench, text: string, env: Record<string, string> = {}): Promise<Ended> {
    const file = join(bench.folder, '.pgpass');
    writeFileSync(file, text);
    chmodSync(file, 0o600);
    const home = { HOME: bench.folder, PGPASSWORD: undefined, PGPASSFILE: undefined };
    return bench.run(['run', 'a', '--', 'true'], { env: { ...home, ...env } });
  }

  it('is used, and a start that acquires says nothing at all', async () => {
    await using bench = openBench(url.href);
    const line = `${url.hostname}:${url.port}:${url.pathname.slice(1)}:${role}:p\\:a\\\\ss\n`;
    const { code, stdout, stderr } = await run(bench, `other:5432:*:${role}:wrong\n${line}`);
    assert.deepEqual([code, stdout, stderr], [0, '', '']);
  });

  it('counts after PGPASSWORD', async () => {
    await using bench = openBench(url.href);
    const { code, stderr } = await run(bench, `*:*:*:${role}:wrong\n`, { PGPASSWORD: 'p:a\\ss' });
    assert.deepEqual([code, stderr], [0, '']);
  });

  it('that is wrong, or not there, is refused with exit 78', async () => {
    await using bench = openBench(url.href);
    for (const text of [`*:*:*:${role}:wrong\n`, '']) {
      const { code, stderr } = await run(bench, text);
      assert.equal(code, 78, stderr);
      assert.match(stderr, /^leasehold: Store postgres:[^\n]+\n$/);
    }
  });
});
