import type { CommandContext } from '../context.ts';
import { CUSTOMERS, type Stage } from './stage.ts';

/** What a part of the demo works with, and how it tells its story. */
export interface Story {
  readonly stage: Stage;
  /** Begins a part: its times count from here. */
  begin(title: string): Promise<void>;
  /** One thing that happened, with the time. */
  tell(line: string): Promise<void>;
  /** One sentence between the things that happened. */
  conclude(line: string): Promise<void>;
  /** Since the part began. */
  elapsedMs(): number;
  /** Waits until `ms` after the part began. */
  until(ms: number): Promise<void>;
  /** Waits until `isTrue`, at most `ms`; false if that was not enough. */
  waitFor(isTrue: () => boolean, ms: number): Promise<boolean>;
  /** Something the demo promises; said, and counted where it doesn't hold. */
  promise(text: string, held: boolean): Promise<void>;
  readonly brokenCount: number;
}

/** How often a state is looked at that nothing tells of. */
const LOOK_EVERY_MS = 20;

export function createStory(context: CommandContext, stage: Stage, stop: AbortSignal): Story {
  const { host, clock } = context;
  const now = (): number => clock.read().monotonicMs;
  let begunAt = now();
  let brokenCount = 0;
  const print = async (line: string): Promise<void> => {
    await host.writeOut(`${line}\n`);
  };
  return {
    stage,
    async begin(title) {
      await print(`\n${title}`);
      begunAt = now();
    },
    tell: (line) => print(`  ${((now() - begunAt) / 1_000).toFixed(1).padStart(4)} s  ${line}`),
    conclude: (line) => print(`  ${line}`),
    elapsedMs: () => now() - begunAt,
    until: (ms) => clock.sleep(Math.max(0, begunAt + ms - now()), stop),
    async waitFor(isTrue, ms) {
      const deadline = now() + ms;
      while (!isTrue()) {
        if (now() >= deadline) return false;
        await clock.sleep(LOOK_EVERY_MS, stop);
      }
      return true;
    },
    async promise(text, held) {
      if (!held) brokenCount += 1;
      await print(`  ${held ? 'ok' : 'FAILED'}: ${text}`);
    },
    get brokenCount() {
      return brokenCount;
    },
  };
}

/** The target's count in words, for example `17 mails for 6 customers; 5 got more than one`. */
export function countMails(stage: Stage): {
  readonly text: string;
  readonly isOnceEach: boolean;
  readonly doubled: number;
} {
  const counts = [...stage.target.mails.values()];
  const total = counts.reduce((sum, count) => sum + count, 0);
  const doubled = counts.filter((count) => count > 1).length;
  const isOnceEach = counts.length === CUSTOMERS && doubled === 0;
  const detail = doubled > 0 ? `${doubled} of them got more than one, one got ${Math.max(...counts)}` : 'none got two';
  return { text: `The target counted ${total} mails for ${counts.length} customers: ${detail}.`, isOnceEach, doubled };
}
