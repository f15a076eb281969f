import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { CommandContext } from '../context.ts';
import { JOB_FILE, JOB_SOURCE, NEW_ROWS_FILE, NEW_ROWS_SOURCE } from './job.ts';
import { startTarget, type Target } from './target.ts';

export const CUSTOMERS = 6;
/** Six mails take the job 3.5 s. */
export const MAIL_MS = 583;

/** One process of the demo. */
export interface Started {
  readonly groupId: number;
  readonly out: readonly string[];
  readonly err: readonly string[];
  readonly isOver: boolean;
  /** Null while it runs, and where a signal ended it. */
  readonly exitCode: number | null;
  /** Resolves when it is over; never rejects. */
  readonly ended: Promise<void>;
}

/**
 * The demo's own small world: a temporary folder with the job, its table and a Leasehold store, the
 * target that counts, and the processes. `close` ends and removes all of it.
 */
export interface Stage {
  readonly folder: string;
  readonly target: Target;
  /** Runs the job by itself. */
  startJob(): Started;
  /** Runs the job under `leasehold run`. `tell` gets what Leasehold says. */
  startGuarded(options: readonly string[], tell: (line: string) => void): Started;
  /** The rows that `leasehold runs` gives of the lock, oldest first. */
  runs(): Promise<{ outcome: string; status: string | null }[]>;
  /** All customers are new again, and the target has counted nothing. */
  beginAnew(): Promise<void>;
  kill(groupId: number): void;
  close(): Promise<void>;
}

/** How long the processes of a demo that is ended early may take to end. */
const CLOSE_MS_MAX = 3_000;

export const LOCK = 'hourly-mail';

export async function openStage(context: CommandContext): Promise<Stage> {
  const { host, clock } = context;
  const folder = await mkdtemp(join(tmpdir(), 'leasehold-demo-'));
  const target = await startTarget();
  await writeFile(join(folder, JOB_FILE), JOB_SOURCE);
  await writeFile(join(folder, NEW_ROWS_FILE), NEW_ROWS_SOURCE);
  const env = {
    ...host.env,
    DEMO_TARGET: target.url,
    DEMO_TABLE: join(folder, 'customers.db'),
    DEMO_CUSTOMERS: String(CUSTOMERS),
    DEMO_MAIL_MS: String(MAIL_MS),
    LEASEHOLD_STORE: `sqlite:${join(folder, 'leasehold.db')}`,
  };
  const live = new Set<Started>();
  const [node = ''] = host.self;
  const start = (words: readonly string[], tell: (line: string) => void = () => {}): Started =>
    startProcess(words, { cwd: folder, env }, live, tell);
  return {
    folder,
    target,
    startJob: () => start([node, JOB_FILE]),
    startGuarded: (options, tell) => start([...host.self, 'run', LOCK, ...options, '--', node, JOB_FILE], tell),
    async runs() {
      const list = start([...host.self, 'runs', LOCK, '--json']);
      await list.ended;
      return list.out.map((line) => JSON.parse(line) as { outcome: string; status: string | null }).toReversed();
    },
    async beginAnew() {
      await start([node, NEW_ROWS_FILE]).ended;
      target.reset();
    },
    kill: (groupId) => void host.signalGroup(groupId, 'SIGKILL'),
    async close() {
      // TERM, since a guard passes it on to its job's own group; KILL would leave that one behind.
      for (const { groupId } of live) host.signalGroup(groupId, 'SIGTERM');
      const allEnded = Promise.all([...live].map(({ ended }) => ended));
      await Promise.race([allEnded, clock.sleep(CLOSE_MS_MAX)]);
      await target.close();
      await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    },
  };
}

function startProcess(
  words: readonly string[],
  where: { cwd: string; env: Record<string, string | undefined> },
  live: Set<Started>,
  tell: (line: string) => void,
): Started {
  const [file = '', ...args] = words;
  const child = spawn(file, args, { ...where, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const groupId = child.pid;
  if (groupId === undefined) throw new Error(`can't start ${file}`);
  const out: string[] = [];
  const err: string[] = [];
  readLines(child.stdout, (line) => out.push(line));
  readLines(child.stderr, (line) => {
    err.push(line);
    tell(line);
  });
  let isOver = false;
  let exitCode: number | null = null;
  const ended = new Promise<void>((resolve) => {
    // Not 'exit': what it said last must have been read.
    child.once('close', (code) => {
      live.delete(started);
      isOver = true;
      exitCode = code;
      resolve();
    });
  });
  const started: Started = {
    groupId,
    out,
    err,
    ended,
    get isOver() {
      return isOver;
    },
    get exitCode() {
      return exitCode;
    },
  };
  live.add(started);
  return started;
}

function readLines(stream: Readable, take: (line: string) => void): void {
  createInterface({ input: stream, crlfDelay: Infinity }).on('line', take);
}
