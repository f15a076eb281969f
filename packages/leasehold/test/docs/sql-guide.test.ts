/**
 * Runs the SQL of docs/guides/sql.md as it stands, with what a platform would put for `$1` and
 * `{{…}}`, and sees that it does what the page says. Leases end by back-dating their rows.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type pg from 'pg';
import { backDate, failure, POSTGRES_VERSIONS, type Row, rows, TestStore } from '../stores/postgres/database.ts';
import { codeBlocks, readPage } from './pages.ts';

const PAGE = readPage('docs/guides/sql.md');
const used = new Set<string>();

/** The page's SQL by the words of its first line: `-- release ($1: the token)` is `release`. */
const BLOCKS = new Map(
  codeBlocks(PAGE, 'sql').map((text) => [/^-- ([^(\n]*[^(\s])/.exec(text)?.[1] ?? text, text] as const),
);

/** One block, with what the platform maps into its text. */
function block(name: string, mapped: Readonly<Record<string, string>> = {}): string {
  const text = BLOCKS.get(name);
  assert.ok(text !== undefined, `the page has a block "${name}", of ${[...BLOCKS.keys()].join('; ')}`);
  used.add(name);
  return text.replaceAll(/\{\{(.*?)\}\}/g, (_, key: string) => {
    const value = mapped[key];
    assert.ok(value !== undefined, `"${name}" maps ${key}`);
    return value;
  });
}

const psql = spawnSync('psql', ['--version'], { encoding: 'utf8' });
const noPsql = psql.status === 0 && process.platform !== 'win32' ? false : 'psql is not installed here';

for (const version of POSTGRES_VERSIONS) {
  describe(`the SQL of the guide on PostgreSQL ${version}`, () => {
    let store: TestStore;
    let client: pg.Client;
    before(async () => {
      store = await TestStore.open(version);
      client = await store.client();
      await client.query("create table customers (id int primary key, status text not null default 'new')");
      await client.query('insert into customers select generate_series(1, 9)');
    });
    after(async () => await store[Symbol.asyncDispose]());

    const run = async (name: string, values: unknown[] = []): Promise<Row> => {
      const [row] = await rows(client, block(name), values);
      assert.ok(row !== undefined, `"${name}" gives a row`);
      return row;
    };
    const map = async (name: string, mapped: Readonly<Record<string, string>>): Promise<Row> => {
      const [row] = await rows(client, block(name, mapped));
      assert.ok(row !== undefined, `"${name}" gives a row`);
      return row;
    };
    const acquire = async (execution: string): Promise<string> => {
      const { proceed, token } = await run('acquire', [execution]);
      assert.equal(proceed, true);
      return String(token);
    };

    it('goes through acquire, touch, fenced write, assert and release in the order of the page', async () => {
      const first = await run('acquire', ['4711']);
      assert.deepEqual([first['outcome'], first['proceed']], ['acquired', true]);
      const { token } = first;
      assert.equal((await run('acquire', ['4711']))['token'], token, 'repeated, it gets the same token');
      assert.equal((await run('touch', [token, 'page 3']))['outcome'], 'renewed');
      assert.deepEqual(await rows(client, block('fenced write'), [token, 1]), [{ id: 1 }]);
      const { remaining_ms: remaining } = await run('assert', [token]);
      assert.ok(Number(remaining) > 7_400_000);
      const [held] = await rows(client, block('who holds what'));
      assert.deepEqual([held?.['lock'], held?.['state'], held?.['holder']], ['hourly-enrich', 'held', '4711']);
      assert.equal((await run('release', [token]))['outcome'], 'released');
    });

    it('a second execution is told to stop, and says so to whoever asks for events', async () => {
      const token = await acquire('4712');
      const { proceed, outcome, token: none, message } = await run('acquire', ['4713']);
      assert.deepEqual([proceed, outcome, none], [false, 'skipped', null]);
      assert.match(String(message), /previous run still running \(holder 4712,/);
      const told = await rows(client, block('what somebody should know'));
      assert.equal(told[0]?.['message'], message);
      await run('release', [token]);
    });

    it('an error path frees the lock by the id of its execution, and only of that one', async () => {
      const token = await acquire('4714');
      await run('acquire', ['4715']);
      const release = block('release after an error');
      assert.deepEqual(await rows(client, release, ['4715']), [], 'an execution that was skipped');
      assert.deepEqual(await rows(client, release, ['never']), [], 'one that never asked');
      assert.equal((await run('assert', [token]))['fence'], '3', 'the lock is still held');
      assert.deepEqual(await rows(client, release, ['4714']), [
        { outcome: 'released', message: 'Released lock "hourly-enrich".' },
      ]);
      assert.deepEqual(await rows(client, release, ['4714']), [], 'one that has released');
      const [ended] = await rows(client, "select status from leasehold.runs(run_id => '4714')");
      assert.equal(ended?.['status'], 'failure');
    });

    it('a holder that was overtaken can neither write nor touch nor free the lock', async () => {
      const late = await acquire('4716');
      await backDate(client, 'hourly-enrich', 126 * 60_000);
      const next = await run('acquire', ['4717']);
      assert.deepEqual([next['outcome'], next['proceed']], ['reclaimed', true]);
      assert.equal((await failure(client, block('fenced write'), [late, 2])).code, 'LH001');
      assert.equal((await failure(client, block('assert'), [late])).code, 'LH001');
      assert.deepEqual(await rows(client, 'select status from customers where id = 2'), [{ status: 'new' }]);
      const lost = await run('touch', [late, 'page 9']);
      assert.deepEqual([lost['outcome'], lost['reason']], ['lost', 'taken_over']);
      assert.deepEqual(await rows(client, block('release after an error'), ['4716']), []);
      assert.equal((await run('release', [late]))['outcome'], 'not_holder');
      assert.equal((await run('release', [next['token']]))['outcome'], 'released');
    });

    it('a lock is taken from a run that hangs, and the run is told', async () => {
      const token = await acquire('4718');
      const forced = await run('take it from its holder');
      assert.deepEqual([forced['outcome'], forced['holder']], ['draining', '4718']);
      assert.equal((await run('touch', [token, null]))['reason'], 'force_released');
      await run('release', [token]);
      const overdue = await rows(client, block('what has not succeeded for too long'));
      assert.deepEqual(overdue, [], 'its last success is not three hours old');
      await client.query("update leasehold.locks set last_success_at = last_success_at - interval '4 hours'");
      assert.equal((await rows(client, block('what has not succeeded for too long'))).length, 1);
    });

    it('the steps for Make, values mapped into the text, hold and free a lock', async () => {
      const first = await map('make: acquire', { 'Execution ID': 'abc-1' });
      assert.equal(first['proceed'], true);
      const token = { '1.token': String(first['token']) };
      assert.equal((await map('make: acquire', { 'Execution ID': 'abc-2' }))['proceed'], false);
      assert.equal((await map('make: touch', token))['outcome'], 'renewed');
      assert.equal((await map('make: assert', token))['fence'], '1');
      assert.equal((await map('make: release', token))['outcome'], 'released');
      assert.equal((await failure(client, block('make: assert', token))).code, 'LH001');
      const failed = await map('make: acquire', { 'Execution ID': 'abc-3' });
      const failedToken = { '1.token': String(failed['token']) };
      assert.equal((await map('make: release after an error', failedToken))['outcome'], 'released');
    });

    it('the steps for Zapier say go or stop, also to a replay', async () => {
      const first = await map('zapier: acquire', { 'Schedule ID': '2026-11-30T09' });
      assert.equal(first['next'], 'go');
      const token = { token: String(first['token']) };
      assert.equal((await map('zapier: acquire', { 'Schedule ID': '2026-11-30T10' }))['next'], 'stop');
      const replay = await map('zapier: acquire', { 'Schedule ID': '2026-11-30T09' });
      assert.deepEqual([replay['next'], replay['token']], ['go', first['token']]);
      assert.equal((await map('zapier: assert', token))['fence'], '1');
      assert.equal((await map('zapier: release', token))['outcome'], 'released');
      assert.equal((await map('zapier: acquire', { 'Schedule ID': '2026-11-30T09' }))['next'], 'stop');
    });

    it('the shell script runs its job once, with its exit code, and frees the lock', { skip: noPsql }, async () => {
      const folder = mkdtempSync(join(tmpdir(), 'sql-guide-'));
      const url = new URL(store.database.url);
      const env = {
        ...process.env,
        PGHOST: url.hostname,
        PGPORT: url.port,
        PGUSER: url.username,
        PGPASSWORD: url.password,
        PGDATABASE: url.pathname.slice(1),
      };
      const script = (more: Record<string, string> = {}): { status: number | null; stdout: string; stderr: string } =>
        spawnSync('sh', ['enrich-under-lock.sh'], { cwd: folder, env: { ...env, ...more }, encoding: 'utf8' });
      try {
        writeFileSync(join(folder, 'enrich-under-lock.sh'), codeBlocks(PAGE, 'sh')[0] ?? '');
        writeFileSync(join(folder, 'job.sh'), '#!/bin/sh\necho at work\nexit "$CODE"\n');
        chmodSync(join(folder, 'job.sh'), 0o755);
        const good = script({ CODE: '0' });
        assert.deepEqual([good.status, good.stdout], [0, 'at work\n'], good.stderr);
        assert.equal(script({ CODE: '3' }).status, 3);
        const statuses = await rows(client, "select status from leasehold.runs('hourly-enrich', page_limit => 2)");
        assert.deepEqual(statuses, [{ status: 'failure' }, { status: 'success' }]);
        const token = await acquire('somebody');
        const skipped = script({ CODE: '0' });
        assert.deepEqual([skipped.status, skipped.stdout], [75, '']);
        assert.match(skipped.stderr, /^Skipped lock "hourly-enrich": previous run still running/);
        await run('release', [token]);
        assert.equal(script({ CODE: '0', PGPORT: '1' }).status, 69, 'no database, no start');
      } finally {
        rmSync(folder, { recursive: true });
      }
    });

    it('no block of the page is left untried', () => {
      assert.deepEqual([...used].toSorted(), [...BLOCKS.keys()].toSorted());
    });
  });
}
