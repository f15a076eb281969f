import type { Severity } from '../../audit/model/finding.ts';
import type { ColumnMap } from '../../audit/readers/table/column-map.ts';
import { parseDuration } from '../../domain/duration.ts';
import { usageError } from '../options.ts';

/** What `audit` takes on its command line. */
export interface AuditOptions {
  readonly json?: boolean;
  /** A path. */
  readonly html?: string;
  readonly timezone?: string;
  readonly map?: ColumnMap;
  readonly days: number;
  /** In ms. */
  readonly every?: number;
  readonly from?: Date;
  readonly to?: Date;
  readonly failOn: FailOn;
}

export const FAIL_ON = ['info', 'warning', 'critical', 'never'] as const;
export type FailOn = Severity | 'never';

const DAY_MS = 86_400_000;
const HORIZON_DAYS = 400;
/** Longer spans say nothing new, and would take long. */
const SPAN_DAYS_MAX = 4_000;

/** The span in which schedules are looked at: 400 days from today, or what was asked for. Throws INVALID_ARGUMENT. */
export function windowOf({ from, to }: AuditOptions, nowMs: number): { fromMs: number; toMs: number } {
  const fromMs = from?.getTime() ?? Math.floor(nowMs / DAY_MS) * DAY_MS;
  const toMs = to?.getTime() ?? fromMs + HORIZON_DAYS * DAY_MS;
  if (toMs <= fromMs) throw usageError('--to has to be later than --from');
  if (toMs - fromMs > SPAN_DAYS_MAX * DAY_MS) {
    throw usageError(`--from and --to are more than ${SPAN_DAYS_MAX} days apart`);
  }
  return { fromMs, toMs };
}

/** The time from start to start. Throws INVALID_ARGUMENT. */
export function parseEvery(text: string): number {
  const ms = parseDuration(text, 'every');
  if (ms >= 1_000 && ms <= HORIZON_DAYS * DAY_MS) return ms;
  throw usageError(`every: "${text}" is not a time from 1s to ${HORIZON_DAYS}d`);
}

/** A zone that this system knows: a mistyped one would shift every local time. Throws INVALID_ARGUMENT. */
export function parseZone(text: string): string {
  try {
    new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions();
    return text;
  } catch {
    throw usageError(`timezone: "${text}" is no time zone that is known; write one like Europe/Berlin or UTC`);
  }
}
