import type { LiveSettings } from './settings.ts';
import { fromMs } from './settings.ts';

const DAY_MS = 86_400_000;

/** What the runs that were found say of those that are gone. */
export interface HistoryFound {
  readonly count: number;
  /** Start of the oldest; null where there is none. */
  readonly oldestMs: number | null;
}

/** The sentence for a history that does not reach back as far as was asked; null where it does, or where it is empty. */
export function historyBegin({ count, oldestMs }: HistoryFound, settings: LiveSettings): string | null {
  if (oldestMs === null || oldestMs <= fromMs(settings) + DAY_MS) return null;
  const days = Math.max(0, (settings.nowMs - oldestMs) / DAY_MS).toFixed(1);
  const begin = new Date(oldestMs).toISOString();
  return `its history begins at ${begin} (${days} days ago; ${settings.days} were asked for) and holds ${count.toLocaleString('en')} runs of all workflows: n8n deletes runs after 14 days or beyond 10,000 in all, unless it is set otherwise, so a busy workflow pushes out the runs of a rare one`;
}
