import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { TestContext } from 'node:test';

export interface ChildAnswer {
  readonly outcome?: string;
  readonly code?: string;
  readonly message: string;
}

export interface Child {
  readonly process: ChildProcessWithoutNullStreams;
  /** The next line of its output; throws what it said on stderr if it ends before. */
  nextLine(): Promise<string>;
}

const NOBODY = 65_534;

/** Starts a script of this folder; it ends with the test at the latest. `asNobody`: without rights where we have all. */
export function startChild(t: TestContext, script: string, args: readonly string[], asNobody = false): Child {
  const user = asNobody && process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  const child = spawn(process.execPath, [fileURLToPath(new URL(script, import.meta.url)), ...args], user);
  t.after(() => child.kill('SIGKILL'));
  let complaint = '';
  child.stderr.on('data', (chunk: Buffer) => {
    complaint += chunk.toString();
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    process: child,
    async nextLine(): Promise<string> {
      const line = await lines.next();
      if (line.done === true) throw new Error(`${script} ended without an answer: ${complaint}`);
      return line.value;
    },
  };
}

/** Starts as many openers of one file as there are locks, and lets them go at the same moment. */
export async function openAtOnce(t: TestContext, path: string, locks: readonly string[]): Promise<ChildAnswer[]> {
  const children = locks.map((lock) => startChild(t, './open-child.ts', [path, lock]));
  for (const child of children) await child.nextLine();
  for (const child of children) child.process.stdin.write('go\n');
  return Promise.all(children.map(readAnswer));
}

/** Opens a file from a process that has no special rights. */
export async function openAsNobody(t: TestContext, path: string): Promise<ChildAnswer> {
  const child = startChild(t, './open-child.ts', [path, 'job'], true);
  await child.nextLine();
  child.process.stdin.write('go\n');
  return readAnswer(child);
}

/** Takes a lock from another process, which keeps the store open until the test ends (`stays`), or closes it. */
export async function takeElsewhere(t: TestContext, path: string, lock: string, stays: boolean): Promise<ChildAnswer> {
  const child = startChild(t, './open-child.ts', [path, lock, ...(stays ? ['stay'] : [])]);
  await child.nextLine();
  child.process.stdin.write('go\n');
  const answer = await readAnswer(child);
  if (!stays) await once(child.process, 'exit');
  return answer;
}

/** Keeps the write lock of a file from another process; resolves once it is held. The promise in it: its end. */
export async function holdWriteLock(t: TestContext, path: string, ms: number): Promise<{ ended: Promise<unknown> }> {
  const child = startChild(t, './write-lock-child.ts', [path, String(ms)]);
  const ended = once(child.process, 'exit');
  await child.nextLine();
  return { ended };
}

async function readAnswer(child: Child): Promise<ChildAnswer> {
  return JSON.parse(await child.nextLine()) as ChildAnswer;
}
