/** The days and times of day of one cron rule, in local time, before any clock change is thought of. */
import type { CronFields } from './cron-fields.ts';

export const DAY_MS: number = 86_400_000;

export interface DayPlan {
  readonly fields: CronFields;
  /** Times of day in ms, ascending. */
  readonly times: Int32Array;
  /** `day` counts local days since 1970-01-01. */
  matches(day: number): boolean;
}

export function planDays(fields: CronFields): DayPlan {
  const { days, months, weekdays, dayRule } = fields;
  return {
    fields,
    times: timesOf(fields),
    matches: (day) => {
      const date = new Date(day * DAY_MS);
      if (!months.has(date.getUTCMonth() + 1)) return false;
      const fitsDay = days.has(date.getUTCDate());
      // 1970-01-01 was a Thursday.
      const fitsWeekday = weekdays.has((((day + 4) % 7) + 7) % 7);
      return dayRule === 'both' ? fitsDay && fitsWeekday : fitsDay || fitsWeekday;
    },
  };
}

function timesOf({ hours, minutes, seconds }: CronFields): Int32Array {
  const times = new Int32Array(hours.length * minutes.length * seconds.length);
  let index = 0;
  for (const hour of hours) {
    for (const minute of minutes) {
      for (const second of seconds) times[index++] = ((hour * 60 + minute) * 60 + second) * 1_000;
    }
  }
  return times;
}

const LONGEST_MONTHS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** False where no date of any year fits: the 31st of February, the 31st of months with 30 days. */
export function hasAnyDay({ days, months, weekdays, dayRule }: CronFields): boolean {
  const fitsDay = [...months].some((month) => [...days].some((day) => day <= (LONGEST_MONTHS[month - 1] ?? 0)));
  return dayRule === 'both' ? fitsDay && weekdays.size > 0 : fitsDay || weekdays.size > 0;
}

/** The first index of `times` whose time is `atMs` or later. */
export function indexFrom(times: ArrayLike<number>, atMs: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? 0) < atMs) low = middle + 1;
    else high = middle;
  }
  return low;
}
