import type { FoundSchedule } from '../../model/schedule.ts';
import type { Inspected } from '../../readers/crontab/inspect-command.ts';

/** One line of a crontab, as the rules about guards see it. */
export interface CronJob {
  /** `PATH:LINE`. */
  readonly id: string;
  readonly line: number;
  readonly name: string;
  /** Whose job it is; null in a user's own crontab. */
  readonly user: string | null;
  readonly schedule: FoundSchedule;
  readonly inspected: Inspected;
  /** What two lines have in common that start the same; never shown. */
  readonly commandKey: string;
  /** Null where it starts at most once: at boot, or never. */
  readonly minGapMs: number | null;
  readonly maxGapMs: number | null;
  /** Other lines that start at the same minute at some time of the week; null where none does. */
  readonly together: { readonly at: string; readonly lines: readonly string[] } | null;
}

/** How often it starts, in words. */
export function everyWords(job: CronJob, format: (ms: number) => string): string {
  const { minGapMs, maxGapMs } = job;
  if (minGapMs === null || maxGapMs === null) return '';
  return minGapMs === maxGapMs
    ? `it starts every ${format(minGapMs)}`
    : `its starts are ${format(minGapMs)} to ${format(maxGapMs)} apart`;
}

/** A name that a lock can have: of letters that every file system and store takes. */
export function lockNameOf({ name }: CronJob): string {
  const plain = name
    .replaceAll(/[^\w.-]+/g, '-')
    .replaceAll(/^[-.]+|[-.]+$/g, '')
    .slice(0, 60);
  return plain === '' ? 'job' : plain;
}
