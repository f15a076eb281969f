/**
 * A process of its own that keeps one PostgreSQL server for tests, in a folder that it deletes.
 *
 * Why a process: the server must end with whoever started it, SIGKILL included. The keeper's standard
 * input is a pipe from its owner; when that closes, for whatever reason, the keeper stops the server,
 * deletes the folder and ends. Started by `postgres-server.ts`, never by hand.
 *
 * Protocol: options as JSON in the first argument; one JSON line on standard output when the server
 * answers; then one command a line on standard input (`stop`, `kill`, `start`), each answered by a line. `start` may be
 * followed by variables of the environment as JSON, for that start.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { chownSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';

/** What `postgres-server.ts` hands over. */
export interface KeeperOptions {
  /** Absolute path of the `postgres` binary; `initdb` lies beside it. */
  readonly postgres: string;
  /** Existing folder in which the server's own folder is made. */
  readonly parentFolder: string;
  readonly port: number;
  readonly password: string;
  /** `name=value` settings of the server. */
  readonly settings: readonly string[];
}

const START_MS_MAX = 30_000;
const STOP_MS_MAX = 20_000;
const LOG_LENGTH_MAX = 20_000;

const options = JSON.parse(process.argv[2] ?? '{}') as KeeperOptions;
const identity = unprivilegedIdentity();
const folder = mkdtempSync(join(options.parentFolder, 'postgres-'));
let server: ChildProcess | null = null;

/** PostgreSQL refuses to run as root, so root hands the server to an account that owns nothing. */
function unprivilegedIdentity(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const account = accounts.find(([name]) => name === 'postgres') ?? accounts.find(([name]) => name === 'nobody');
  if (account === undefined)
    throw new Error('PostgreSQL cannot run as root, and there is no account "nobody" to run it');
  return { uid: Number(account[2]), gid: Number(account[3]) };
}

/** The binaries where the account may reach them: a checkout under a private home is copied first. */
function reachableBinary(): string {
  const probe = spawnSync(options.postgres, ['--version'], { ...identity, cwd: folder });
  if (probe.status === 0) return options.postgres;
  const copy = join(folder, 'native');
  cpSync(dirname(dirname(options.postgres)), copy, { recursive: true, verbatimSymlinks: true });
  return join(copy, 'bin', 'postgres');
}

/**
 * What the server stores of a password (RFC 5802), with one round in the place of 4,096: tests open thousands of
 * connections, and this one is guessed by nobody.
 */
function verifierOf(password: string): string {
  const rounds = 1;
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, rounds, 32, 'sha256');
  const key = (name: string): Buffer => createHmac('sha256', salted).update(name).digest();
  const stored = createHash('sha256').update(key('Client Key')).digest('base64');
  return `SCRAM-SHA-256$${rounds}:${salt.toString('base64')}$${stored}:${key('Server Key').toString('base64')}`;
}

function initialise(binary: string): void {
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, verifierOf(options.password), { mode: 0o600 });
  if (identity.uid !== undefined && identity.gid !== undefined) {
    chownSync(folder, identity.uid, identity.gid);
    chownSync(passwordFile, identity.uid, identity.gid);
  }
  const made = spawnSync(
    join(dirname(binary), 'initdb'),
    [
      `--pgdata=${join(folder, 'data')}`,
      `--pwfile=${passwordFile}`,
      '--username=postgres',
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
      '--no-sync',
    ],
    { ...identity, cwd: folder, encoding: 'utf8', timeout: START_MS_MAX },
  );
  if (made.status !== 0) throw new Error(`initdb failed: ${made.error?.message ?? ''}\n${made.stdout}\n${made.stderr}`);
}

/** Starts the server and waits until it says that it is ready, which is after any recovery. */
async function start(binary: string, env: Record<string, string> = {}): Promise<void> {
  const settings = [
    `port=${options.port}`,
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    ...options.settings,
  ];
  const child = spawn(binary, ['-D', join(folder, 'data'), ...settings.flatMap((setting) => ['-c', setting])], {
    ...identity,
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  server = child;
  await new Promise<void>((resolve, reject) => {
    let log = '';
    const fail = (why: string): void =>
      reject(new Error(`PostgreSQL did not start on port ${options.port}: ${why}\n${log}`));
    const timer = setTimeout(() => fail('no answer in time'), START_MS_MAX);
    child.once('exit', () => fail('it ended')).once('error', (error) => fail(error.message));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      log = (log + text).slice(-LOG_LENGTH_MAX);
      // A standby never gets further than to be read.
      if (!/database system is ready to accept (?:read-only )?connections/.test(log)) return;
      clearTimeout(timer);
      resolve();
    });
  });
}

/** SIGINT is PostgreSQL's fast shutdown: sessions are cut, data is safe. SIGQUIT is its crash. */
async function stop(signal: 'SIGINT' | 'SIGQUIT'): Promise<void> {
  const child = server;
  server = null;
  if (child === null || child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  const force = setTimeout(() => child.kill('SIGKILL'), STOP_MS_MAX);
  await ended;
  clearTimeout(force);
}

async function end(code: number): Promise<never> {
  await stop('SIGQUIT').catch(() => undefined);
  if (existsSync(folder)) rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  process.exit(code);
}

function say(answer: unknown): void {
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}

async function obey(command: string, binary: string): Promise<void> {
  if (command === 'stop') await stop('SIGINT');
  else if (command === 'kill') await stop('SIGQUIT');
  else if (command.startsWith('start'))
    await start(binary, JSON.parse(command.slice('start'.length) || '{}') as Record<string, string>);
  else throw new Error(`unknown command "${command}"`);
}

/** The owner may be gone: a broken pipe then means "end", which the closed input says anyway. */
process.stdout.on('error', () => undefined);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => void end(1));

const input = createInterface({ input: process.stdin });
input.once('close', () => void end(0));

try {
  const binary = reachableBinary();
  initialise(binary);
  await start(binary);
  say({ ok: true });
  for await (const line of input) {
    await obey(line, binary);
    say({ ok: true });
  }
} catch (error) {
  say({ ok: false, error: error instanceof Error ? error.message : String(error) });
  await end(1);
}
