/** A server that is not there, goes away or says no: clear errors, no secret, and calls that find their way back. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { isLeaseholdError, LeaseholdError } from '../../../src/errors.ts';
import { adminUrl } from '../../postgres.ts';
import { openStore, POSTGRES_VERSIONS, start, TestStore } from './database.ts';

const CUT_CHILD = fileURLToPath(new URL('./cut-connection-child.ts', import.meta.url));

/** Every text that an error shows or hides: message, stack, causes, own properties. */
function everythingIn(error: unknown): string {
  if (!(error instanceof Error)) return JSON.stringify(error) ?? '';
  return [error.message, error.stack, JSON.stringify(error), everythingIn(error.cause)].join('\n');
}

async function rejection(promise: Promise<unknown>): Promise<LeaseholdError> {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof LeaseholdError, `a LeaseholdError, not ${String(error)}`);
  return error;
}

for (const version of POSTGRES_VERSIONS) {
  describe(`outages on PostgreSQL ${version}`, () => {
    let test: TestStore;
    before(async () => {
      test = await TestStore.open(version);
    });
    after(async () => await test[Symbol.asyncDispose]());

    it('a wrong password is STORE_FORBIDDEN and shows up nowhere', async () => {
      const url = new URL(adminUrl(version));
      url.password = 'hunter2-secret';
      const error = await rejection(openStore(url.href));
      assert.equal(error.code, 'STORE_FORBIDDEN');
      assert.doesNotMatch(everythingIn(error), /hunter2/);
    });

    it('a database that is not there is STORE_UNUSABLE', async () => {
      const url = new URL(adminUrl(version));
      url.pathname = '/no_such_database';
      assert.equal((await rejection(openStore(url.href))).code, 'STORE_UNUSABLE');
    });

    it('backends terminated between acquire, renew and release are replaced, and the lease is still ours', async () => {
      const killer = await test.client();
      const cutAll = async (): Promise<void> => {
        await killer.query(
          'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
        );
      };
      const held = await test.store.acquire(start('cut'));
      assert.ok(held.outcome === 'acquired');
      const { token } = held;
      await cutAll();
      assert.equal(
        (await test.store.renew({ lock: 'cut', token, leaseMs: null, progress: null, holderInfo: null })).outcome,
        'renewed',
      );
      await cutAll();
      const released = await test.store.release({ lock: 'cut', token, status: 'success', afterMs: 0, lost: null });
      assert.equal(released.outcome, 'released');
    });

    it('backends that are cut in the middle of calls don’t end the program that made them', async () => {
      const killer = await test.client();
      const child = spawn(process.execPath, [CUT_CHILD, test.database.url], { stdio: ['ignore', 'pipe', 'inherit'] });
      const ended = once(child, 'exit');
      await once(child.stdout, 'data');
      while (child.exitCode === null) {
        await killer.query(
          'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
        );
        await killer.query('select pg_sleep(0.02)');
      }
      assert.deepEqual(await ended, [0, null]);
    });

    it('a call that waits longer than its time is STORE_UNREACHABLE', async () => {
      await test.store.acquire(start('slow'));
      const blocker = await test.client();
      await blocker.query('begin');
      await blocker.query("select from leasehold.locks where name = 'slow' for update");
      const call = test.store.forceRelease({ lock: 'slow', reason: 'test', atOnce: true }, { timeoutMs: 150 });
      const error = await rejection(call);
      await blocker.query('rollback');
      assert.equal(error.code, 'STORE_UNREACHABLE');
    });

    it('a read-only server is STORE_UNREACHABLE, with what to do', async () => {
      const client = await test.client();
      await client.query(
        `alter database ${new URL(test.database.url).pathname.slice(1)} set default_transaction_read_only to on`,
      );
      const store = await openStore(test.database.url);
      const error = await rejection(store.acquire(start('read-only')));
      await client.query(
        `alter database ${new URL(test.database.url).pathname.slice(1)} reset default_transaction_read_only`,
      );
      await store.close();
      assert.equal(error.code, 'STORE_UNREACHABLE');
      assert.match(error.message, /read-only; name the primary$/);
    });
  });
}

describe('a server that is not there', () => {
  it('is STORE_UNREACHABLE when nothing listens', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    const error = await rejection(openStore(`postgres://someone:hunter2-secret@127.0.0.1:${port}/x`));
    assert.equal(error.code, 'STORE_UNREACHABLE');
    assert.match(error.message, /ECONNREFUSED/);
    assert.doesNotMatch(everythingIn(error), /hunter2/);
  });

  it('is STORE_UNREACHABLE when it takes the connection and never answers', async () => {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => sockets.add(socket)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const started = performance.now();
    const error = await rejection(openStore(`postgres://someone@127.0.0.1:${port}/x`));
    assert.ok(isLeaseholdError(error, 'STORE_UNREACHABLE'));
    assert.ok(performance.now() - started < 8_000, 'within its time');
    for (const socket of sockets) socket.destroy();
    server.close();
  });

  it('is STORE_UNREACHABLE when its name is unknown', async () => {
    const error = await rejection(openStore('postgres://someone@no-such-host.invalid/x'));
    assert.equal(error.code, 'STORE_UNREACHABLE');
  });
});
