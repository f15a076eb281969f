/** A guarded command whose line to PostgreSQL can break, and a rival whose line can't. */
import { type Bench, type Running, until } from '../cli/command-line.ts';
import { type BadLine, openBadLine } from './bad-line.ts';
import { openPlace, type Place } from './place.ts';

export interface Scene extends AsyncDisposable {
  readonly line: BadLine;
  readonly place: Place;
  /** Starts a command by the line that can break, and waits until it has entered. */
  hold(options: readonly string[], script: string): Promise<Running>;
  /** Starts one that waits for the lock by a line of its own. */
  rival(options: readonly string[]): Running;
}

export async function openScene(bench: Bench, lock: string): Promise<Scene> {
  const [line, place] = [await openBadLine(bench.store), await openPlace()];
  return {
    line,
    place,
    async hold(options, script) {
      const args = ['run', lock, ...options, '--', ...place.command(script)];
      const running = bench.start(args, { env: { LEASEHOLD_STORE: line.url } });
      await until('it runs', () => running.stdout().includes('ready '));
      return running;
    },
    rival: (options) =>
      bench.start(['run', lock, '--on-busy', 'wait', '--wait', '20s', ...options, '--', ...place.command('sleep 0.3')]),
    async [Symbol.asyncDispose]() {
      await place[Symbol.asyncDispose]();
      await line[Symbol.asyncDispose]();
    },
  };
}

export function countIn(text: string, pattern: RegExp): number {
  return [...text.matchAll(new RegExp(pattern, 'g'))].length;
}
