/**
 * Runs the real command line as a user does: a process of its own, its own store, no state of this
 * user. Every process that a test starts is stopped with it, with whatever it started.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What `bin/leasehold.js` runs in a checkout. */
export const MAIN: string = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));

/** Reading the source takes a process 0.2 s; what one has read, the next ones find here. */
const COMPILE_CACHE = join(tmpdir(), 'node-compile-cache');

/**
 * Longer than any test waits for one process, so that a hang is a failure with its output. Negative controls, in which a
 * process that hangs is what is meant to be seen, set less.
 */
const END_MS_MAX = Number(process.env['LEASEHOLD_TEST_END_MS_MAX'] ?? 30_000);
const UNTIL_MS_MAX = Math.min(END_MS_MAX, 15_000);

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly pid: number;
  readonly child: ChildProcess;
  /** What it has written so far. */
  stdout(): string;
  stderr(): string;
  kill(signal: NodeJS.Signals): void;
  /** When the process has ended and its output is closed. Fails after `endMsMax`. */
  readonly ended: Promise<Ended>;
  /** When the process itself has ended, whoever still has its output open. */
  readonly exited: Promise<number | null>;
}

export interface StartOptions {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  readonly stdin?: string;
  /** A descriptor in the place of a pipe that this process reads. */
  readonly stderr?: number;
  /** How long it may take until it is taken to hang; default 30 s. */
  readonly endMsMax?: number;
}

/** A folder of its own with a store in it, and the processes that use it. */
export interface Bench {
  readonly folder: string;
  /** The URL of the store that commands of this bench use unless told otherwise. */
  readonly store: string;
  /** Runs `leasehold` with these arguments to its end. */
  run(args: readonly string[], options?: StartOptions): Promise<Ended>;
  /** Runs it and reads its stdout as JSON lines. */
  json<T>(args: readonly string[]): Promise<T[]>;
  /** Starts `leasehold` with these arguments. */
  start(args: readonly string[], options?: StartOptions): Running;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Opens a bench; `store` instead of a SQLite file of its own. */
export function openBench(store?: string): Bench {
  const folder = mkdtempSync(join(tmpdir(), 'leasehold-cli-'));
  const url = store ?? `sqlite:${join(folder, 'leasehold.db')}`;
  const running = new Set<Running>();
  const start = (args: readonly string[], options: StartOptions = {}): Running => {
    const own = {
      LEASEHOLD_STORE: url,
      LEASEHOLD_TOKEN: undefined,
      LEASEHOLD_CLAIM_TOKEN: undefined,
      NODE_COMPILE_CACHE: COMPILE_CACHE,
    };
    const env = { ...process.env, ...own, ...options.env };
    const started = startProcess(process.execPath, [MAIN, ...args], { ...options, cwd: options.cwd ?? folder, env });
    running.add(started);
    return started;
  };
  return {
    folder,
    store: url,
    start,
    run: (args, options) => start(args, options).ended,
    async json<T>(args: readonly string[]) {
      const { stdout, stderr, code } = await start([...args, '--json']).ended;
      if (stderr !== '') throw new Error(`${args.join(' ')} ended with ${code} and said: ${stderr}`);
      return linesOf(stdout).map((line) => JSON.parse(line) as T);
    },
    async [Symbol.asyncDispose]() {
      for (const each of running)
        if (each.child.exitCode === null && each.child.signalCode === null) each.kill('SIGKILL');
      await Promise.allSettled([...running].map((each) => each.exited));
      // What a killed wrapper has left behind may keep its output open, which would keep this process.
      for (const { child } of running) for (const stream of [child.stdout, child.stderr]) stream?.destroy();
      rmSync(folder, { recursive: true, force: true, maxRetries: 3, retryDelay: 50 });
    },
  };
}

function startProcess(
  file: string,
  args: readonly string[],
  options: StartOptions & { readonly env: NodeJS.ProcessEnv },
): Running {
  const { cwd, env, stdin, stderr: descriptor = 'pipe', endMsMax = END_MS_MAX } = options;
  const child = spawn(file, args, { cwd, env, stdio: [stdin === undefined ? 'ignore' : 'pipe', 'pipe', descriptor] });
  child.stdin?.end(stdin);
  let stdout = '';
  let stderr = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const exited = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  const ended = new Promise<Ended>((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`${args.slice(1).join(' ')} did not end; stdout: ${stdout}; stderr: ${stderr}`));
    }, endMsMax);
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      resolve({ code, signal, stdout, stderr });
    });
  });
  ended.catch(() => {});
  return {
    pid: child.pid ?? 0,
    child,
    stdout: () => stdout,
    stderr: () => stderr,
    kill: (signal) => void child.kill(signal),
    ended,
    exited,
  };
}

export function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line !== '');
}

/** Waits until `isTrue`; fails with `what` after 15 s. */
export async function until(what: string, isTrue: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + UNTIL_MS_MAX;
  while (!(await isTrue())) {
    if (performance.now() > deadline) throw new Error(`waited too long until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** True while a process with this id runs; one that has ended and waits for its parent to look does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3) !== 'Z';
  } catch (error) {
    // Without /proc, that it can be signalled must do.
    return existsSync('/proc/self') ? false : (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}

/** The number that a line `NAME 123` of this output gives. */
export function numberIn(text: string, name: string): number {
  const match = new RegExp(`^${name} (\\d+)$`, 'm').exec(text);
  if (match === null) throw new Error(`no line "${name} NUMBER" in: ${text}`);
  return Number(match[1]);
}

/** True once the process has handlers of its own: QUIT (bit 3), which Node.js leaves alone, is caught. Without /proc, after 0.5 s. */
export async function handlesSignals(pid: number): Promise<boolean> {
  const status = existsSync('/proc/self/status') ? readFileSync(`/proc/${pid}/status`, 'utf8') : null;
  if (status !== null) return (BigInt(`0x${/^SigCgt:\s*(\w+)$/m.exec(status)?.[1] ?? '0'}`) & 0x4n) !== 0n;
  await new Promise((resolve) => setTimeout(resolve, 500));
  return true;
}
