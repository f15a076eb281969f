import { fromMs, type LiveSettings } from './settings.ts';
import { counted, instantText } from '../../words.ts';

const DAY_MS = 86_400_000;
/** What n8n keeps unless it is set otherwise (EXECUTIONS_DATA_MAX_AGE, EXECUTIONS_DATA_PRUNE_MAX_COUNT); it looks once an hour. */
const KEPT_DAYS = 14;
const KEPT_RUNS = 10_000;

/** What the runs that were found say of those that are gone. */
export interface HistoryFound {
  readonly count: number;
  /** Start of the oldest; null where there is none. */
  readonly oldestMs: number | null;
}

/** The sentence for a history that does not reach back as far as was asked; null where it does, or where it is empty. */
export function historyBegin(
  { count, oldestMs }: HistoryFound,
  settings: Pick<LiveSettings, 'nowMs' | 'days'>,
): string | null {
  if (oldestMs === null || oldestMs <= fromMs(settings) + DAY_MS) return null;
  const days = Math.max(0, (settings.nowMs - oldestMs) / DAY_MS);
  const asked = Number.isFinite(settings.days) ? ` (${settings.days} were asked for)` : '';
  const runs = counted(count, 'run');
  const begin = `Its history begins at ${instantText(oldestMs)}, ${days.toFixed(1)} days ago${asked}, and has ${runs} of all workflows`;
  if (count > 0.9 * KEPT_RUNS && count < 1.2 * KEPT_RUNS) {
    return `${begin}: n8n keeps 10,000 unless it is set otherwise, so a busy workflow pushes out the runs of a rare one.`;
  }
  if (days > KEPT_DAYS - 1 && days < KEPT_DAYS + 1) {
    return `${begin}: n8n deletes runs after 14 days unless it is set otherwise.`;
  }
  // Where all was asked for, that it begins somewhere says nothing.
  return asked === '' ? null : `${begin}: it is new, or what was before is deleted.`;
}
