/** A guarded command whose line to PostgreSQL can break, and a rival whose line can't. */
import { type Bench, type Running, until } from '../cli/command-line.ts';
import { type BadLine, openBadLine } from './bad-line.ts';
import { openPlace, type Place } from './place.ts';

export interface Scene extends AsyncDisposable {
  readonly line: BadLine;
  readonly place: Place;
  /** Starts a command by the line that can break, and waits until it has entered. */
  hold(options: readonly string[], script: string): Promise<Running>;
  /** Starts one that waits for the lock by a line of its own, 25 s unless `--wait` says otherwise. */
  rival(options: readonly string[]): Running;
}

/** `endMsMax`: how long a process of it may take. */
export async function openScene(bench: Bench, lock: string, endMsMax?: number): Promise<Scene> {
  const [line, place] = [await openBadLine(bench.store), await openPlace()];
  const limit = endMsMax === undefined ? {} : { endMsMax };
  return {
    line,
    place,
    async hold(options, script) {
      const args = ['run', lock, ...options, '--', ...place.command(script)];
      const running = bench.start(args, { env: { LEASEHOLD_STORE: line.url }, ...limit });
      await until('it runs', () => running.stdout().includes('ready '));
      return running;
    },
    rival(options) {
      const wait = ['--on-busy', 'wait', '--wait', '25s'];
      return bench.start(['run', lock, ...wait, ...options, '--', ...place.command('sleep 0.3')], limit);
    },
    async [Symbol.asyncDispose]() {
      await place[Symbol.asyncDispose]();
      await line[Symbol.asyncDispose]();
    },
  };
}

export function countIn(text: string, pattern: RegExp): number {
  return [...text.matchAll(new RegExp(pattern, 'g'))].length;
}
