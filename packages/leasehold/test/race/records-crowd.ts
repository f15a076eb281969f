/** Starts processes of `records-child.ts` on one pool, kills some of them, and starts others in their place. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Edit } from '../edit-source.ts';

const CHILD = fileURLToPath(new URL('./records-child.ts', import.meta.url));
const EDIT_SOURCE = new URL('../edit-source.ts', import.meta.url).href;
const CHILD_MS_MAX = 150_000;

export interface RecordsCrowd {
  readonly url: string;
  readonly provider: string;
  /** What each process does; see records-child.ts. */
  readonly args: readonly string[];
  readonly processes: number;
  /** How many of them are killed with SIGKILL while they work; each is replaced. */
  readonly kills: number;
  readonly random: () => number;
  /** Guards to take out of the source that the processes load. */
  readonly edits?: readonly Edit[];
}

class Worker {
  readonly child: ChildProcess;
  readonly begun: Promise<unknown>;
  readonly #ended: Promise<unknown[]>;

  constructor({ url, provider, args, edits = [] }: RecordsCrowd) {
    const preload = edits.length > 0 ? ['--import', EDIT_SOURCE] : [];
    const child = spawn(process.execPath, [...preload, CHILD, url, provider, ...args], {
      env: { ...process.env, LEASEHOLD_EDITS: JSON.stringify(edits) },
      stdio: ['ignore', 'pipe', 'inherit'],
      timeout: CHILD_MS_MAX,
    });
    this.child = child;
    this.#ended = once(child, 'close');
    this.begun = Promise.race([once(child.stdout, 'data'), this.#ended]);
    text(child.stdout).catch(() => {});
  }

  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.#ended;
  }

  /** Throws unless it ended by itself, with success. */
  async end(): Promise<void> {
    const [code, signal] = await this.#ended;
    if (code !== 0) throw new Error(`a process of the crowd ended with ${String(code ?? signal)}`);
  }
}

/** Resolves when the work is done and every process that was not killed has ended with success. */
export async function workInCrowd(crowd: RecordsCrowd): Promise<void> {
  const workers = Array.from({ length: crowd.processes }, () => new Worker(crowd));
  await Promise.all(workers.map(({ begun }) => begun));
  for (let kill = 0; kill < crowd.kills; kill += 1) {
    await sleep(100 + crowd.random() * 300);
    const at = Math.floor(crowd.random() * workers.length);
    await workers[at]?.kill();
    workers[at] = new Worker(crowd);
    await workers[at].begun;
  }
  await Promise.all(workers.map((worker) => worker.end()));
}

/** A generator of numbers from 0 to 1 by a seed that is printed, so that a run can be repeated. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
}
