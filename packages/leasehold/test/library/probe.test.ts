/** The library's own process, asked after by another one: real processes, a real file. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { openLeasehold } from '../../src/index.ts';

const INDEX = pathToFileURL(join(import.meta.dirname, '../../src/index.ts')).href;
const LEASE_MS = 60_000;

interface Holder extends AsyncDisposable {
  readonly url: string;
  readonly path: string;
  kill(): Promise<void>;
}

/** Another process that holds lock `job` by this call, for as long as it lives. */
async function openHolder(call: string): Promise<Holder> {
  const folder = mkdtempSync(join(tmpdir(), 'leasehold-library-'));
  const path = join(folder, 'leasehold.db');
  const source = `
    import { openLeasehold } from '${INDEX}';
    const lock = (await openLeasehold('sqlite:${path}')).lock('job');
    const hold = async () => { console.log('holding'); await new Promise((r) => setTimeout(r, 20_000)); };
    ${call}`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', source], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await exited;
  };
  await said(child);
  return {
    url: `sqlite:${path}`,
    path,
    kill,
    async [Symbol.asyncDispose]() {
      await kill();
      rmSync(folder, { recursive: true });
    },
  };
}

function said(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.stdout?.once('data', () => resolve());
    child.once('exit', () => reject(new Error('it ended before it held the lock')));
  });
}

/** As if it had been acquired an hour ago and renewed half a minute before its end, just now. */
function endLease(path: string): void {
  using database = new DatabaseSync(path, { timeout: 5_000 });
  const moved = 'update locks set renewed_at = lease_until - 90000, lease_until = lease_until - 60001';
  assert.equal(database.prepare(moved).run().changes, 1);
}

describe('work under lock().run', { skip: existsSync('/proc/self/stat') ? false : 'this system has no /proc' }, () => {
  it('whose process was killed frees its lock at once', async () => {
    await using holder = await openHolder(`await lock.run({ leaseMs: ${LEASE_MS} }, hold);`);
    await using leasehold = await openLeasehold(holder.url);
    const early = await leasehold.lock('job').acquire({ leaseMs: LEASE_MS });
    assert.ok(early.outcome === 'skipped' && early.reason === 'held');
    await holder.kill();
    await using start = await leasehold.lock('job').acquire({ leaseMs: LEASE_MS });
    assert.ok(start.outcome === 'reclaimed');
    assert.match(start.previous.probe ?? '', /^ended: process \d+ has ended$/);
  });

  it('that is late to renew and alive keeps its lock', async () => {
    await using holder = await openHolder(`await lock.run({ leaseMs: ${LEASE_MS} }, hold);`);
    endLease(holder.path);
    await using leasehold = await openLeasehold(holder.url);
    const start = await leasehold.lock('job').acquire({ leaseMs: LEASE_MS });
    assert.ok(start.outcome === 'skipped' && start.reason === 'held');
    const [event] = await leasehold.events({ kind: 'lease.extended' });
    assert.match(event?.message ?? '', /^Extended the lease of lock "job" until .* is alive \(process \d+ runs\)\.$/);
  });

  it('that may be left to run out does not', async () => {
    const options = `{ leaseMs: ${LEASE_MS}, withholdRenewal: () => null }`;
    await using holder = await openHolder(`await lock.run(${options}, hold);`);
    endLease(holder.path);
    await using leasehold = await openLeasehold(holder.url);
    await using start = await leasehold.lock('job').acquire({ leaseMs: LEASE_MS });
    assert.equal(start.outcome, 'reclaimed');
  });
});

it('a bare acquire of a process that was killed blocks until its lease ends: nobody knows who works under it', async () => {
  await using holder = await openHolder(`await lock.acquire({ leaseMs: ${LEASE_MS} }); await hold();`);
  await holder.kill();
  await using leasehold = await openLeasehold(holder.url);
  const start = await leasehold.lock('job').acquire({ leaseMs: LEASE_MS });
  assert.ok(start.outcome === 'skipped' && start.reason === 'held');
});

it('a probe of one’s own is asked after holders that name its system', async () => {
  await using leasehold = await openLeasehold('sqlite::memory:', {
    probes: [
      { system: 'http', ask: async ({ holderInfo }) => ({ state: 'ended', detail: String(holderInfo['job']) }) },
    ],
  });
  const lock = leasehold.lock('job');
  await lock.acquire({ leaseMs: LEASE_MS, holderInfo: { probe: 'http', job: 'gone' }, renewal: 'touch' });
  const start = await lock.acquire({ leaseMs: LEASE_MS });
  assert.ok(start.outcome === 'reclaimed');
  assert.equal(start.previous.probe, 'ended: gone');
});

it('probes that make no sense are refused before the store is opened', async () => {
  const http = { url: 'https://a.example/runs', state: '/s', alive: ['a'], ended: ['b'] };
  await assert.rejects(openLeasehold('sqlite:/nowhere/at/all.db', { probes: { http } }), { code: 'INVALID_ARGUMENT' });
});
