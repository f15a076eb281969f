/**
 * PgBouncer (Debian's package) in front of one of the test servers, on a free port of 127.0.0.1.
 *
 * It asks clients for nothing and logs into the server as the superuser of the URL. As root it gives
 * its rights up to `postgres`, which its own package brings; it refuses to run as root.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';

export type PoolMode = 'transaction' | 'session' | 'statement';

export interface Pooler extends AsyncDisposable {
  /** The same database through the pooler. */
  through(url: string): string;
}

const CONNECT_ATTEMPTS_MAX = 100;

/** `settings` are lines of `pgbouncer.ini` that count instead of ours. */
export async function startPooler(
  serverUrl: string,
  mode: PoolMode,
  settings: readonly string[] = ['default_pool_size = 30'],
): Promise<Pooler> {
  const server = new URL(serverUrl);
  const folder = mkdtempSync(join(tmpdir(), 'pooler-'));
  const port = await freePort();
  const config = join(folder, 'pgbouncer.ini');
  writeFileSync(
    config,
    [
      '[databases]',
      `* = host=${server.hostname} port=${server.port} user=${server.username} password=${decodeURIComponent(server.password)}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = any',
      `pool_mode = ${mode}`,
      ...settings,
      'max_client_conn = 400',
    ].join('\n'),
  );
  chmodSync(folder, 0o755);
  const user = process.getuid?.() === 0 ? ['-u', 'postgres'] : [];
  const child = spawn('pgbouncer', ['-q', ...user, config], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin` },
  });
  const through = (url: string): string => {
    const pooled = new URL(url);
    pooled.host = `127.0.0.1:${port}`;
    return pooled.href;
  };
  await answers(through(serverUrl), child);
  return {
    through,
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null) {
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Waits until the pooler passes a query on; throws what went wrong last when it never does. */
async function answers(url: string, child: ChildProcess): Promise<void> {
  let last: unknown;
  for (let attempt = 0; attempt < CONNECT_ATTEMPTS_MAX && child.exitCode === null; attempt += 1) {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => {});
    try {
      await client.connect();
      await client.query('select 1');
      await client.end();
      return;
    } catch (error) {
      last = error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  throw new Error('PgBouncer does not answer', { cause: last });
}
