/**
 * Evidence. Rows that are each named differently may be runs of one job (`backup-2026-11-01T03:00`, `report-29000001`), or
 * things that are worked once each (`customer-10001`). Taken for one job, things that are worked side by side would be overlaps. So
 * names are joined only where the rows keep to a clock; and where the name doesn't tell its own time, only where
 * runs mostly end before the next but one begins.
 */
export interface NamedRow {
  readonly name: string;
  /** Null where it isn't known. */
  readonly startMs: number | null;
  readonly tookMs: number | null;
}

interface StartedRow extends NamedRow {
  readonly startMs: number;
}

const ROWS_MIN = 5;
const GAP_TOLERANCE = 0.25;
const REGULAR_SHARE_MIN = 0.75;
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** More rows than this fall on the same minute of a day by chance. */
const DAILY_ROWS_MAX = 200;
/** How long runs of a job may mostly take, in gaps: more of them at once is no clock that is late. */
const GAPS_MAX = 2;
/** The same where names are numbers that are counted up, as customers and orders are. */
const COUNTED_GAPS_MAX = 1;

/** True where these rows may be taken for runs of one job. */
export function isOneJob(all: readonly NamedRow[]): boolean {
  const rows = all.flatMap(({ startMs, ...row }) => (startMs === null ? [] : [{ ...row, startMs }]));
  if (rows.length < ROWS_MIN) return false;
  const sorted = rows.toSorted((one, other) => one.startMs - other.startMs);
  const gaps = sorted.slice(1).map(({ startMs }, at) => startMs - (sorted[at]?.startMs ?? startMs));
  const gapMs = middleOf(gaps);
  if (gapMs <= 0 || !(isRegular(gaps, gapMs) || isDaily(sorted))) return false;
  if (tellsTime(sorted)) return true;
  const took = sorted.flatMap(({ tookMs }) => tookMs ?? []);
  return took.length === 0 || middleOf(took) <= gapMs * (isCounted(sorted) ? COUNTED_GAPS_MAX : GAPS_MAX);
}

const middleOf = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0;

function isRegular(gaps: readonly number[], gapMs: number): boolean {
  const alike = gaps.filter((ms) => Math.abs(ms - gapMs) <= gapMs * GAP_TOLERANCE);
  return alike.length >= gaps.length * REGULAR_SHARE_MIN;
}

/** Times of the day that come again, as of `0 9,17 * * *`. */
function isDaily(rows: readonly StartedRow[]): boolean {
  if (rows.length > DAILY_ROWS_MAX) return false;
  const minutes = Map.groupBy(rows, ({ startMs }) => Math.floor((startMs % DAY_MS) / MINUTE_MS));
  const again = [...minutes.values()].filter(({ length }) => length > 1).reduce((sum, { length }) => sum + length, 0);
  return again >= rows.length * REGULAR_SHARE_MIN;
}

const DATE = /(?<!\d)(20\d\d)[-_./]?(0[1-9]|1[0-2])[-_./]?(0[1-9]|[12]\d|3[01])(?!\d{5})/;
/** Minutes since 1970, seconds, or milliseconds. */
const SINCE_1970 = /(?<!\d)(\d{8}|\d{10}|\d{13})(?!\d)/;
const STAMP_MS: Readonly<Record<number, number>> = { 8: MINUTE_MS, 10: 1_000, 13: 1 };
/** Clocks of the file and of the name may be of two zones, and a run may start long after its time. */
const DAYS_OFF_MAX = 2;
const TOLD_SHARE_MIN = 0.9;

/** The date of its start stands in the name, or a number that grows as the time does. */
function tellsTime(rows: readonly StartedRow[]): boolean {
  const dated = rows.filter(({ name, startMs }) => {
    const [, year, month, day] = DATE.exec(name) ?? [];
    const dateMs = Date.UTC(Number(year), Number(month) - 1, Number(day));
    return Math.abs(startMs - dateMs) <= DAYS_OFF_MAX * DAY_MS;
  });
  if (dated.length >= rows.length * TOLD_SHARE_MIN) return true;
  const numbers = rows.map(({ name }) => SINCE_1970.exec(name)?.[1] ?? '');
  const [first] = rows;
  const [from = ''] = numbers;
  const unitMs = STAMP_MS[from.length];
  if (first === undefined || unitMs === undefined) return false;
  const inStep = rows.filter(({ startMs }, at) => {
    const sinceMs = (Number(numbers[at]) - Number(from)) * unitMs;
    return Math.abs(startMs - first.startMs - sinceMs) <= STEP_MS_MAX;
  });
  return inStep.length >= rows.length * TOLD_SHARE_MIN;
}

/** A run may wait for its turn. */
const STEP_MS_MAX = 30 * MINUTE_MS;

/** The last number of each name is one more than that of the name before, mostly. */
function isCounted(rows: readonly NamedRow[]): boolean {
  const numbers = rows.map(({ name }) => Number(/(\d{1,15})\D*$/.exec(name)?.[1] ?? Number.NaN));
  const next = numbers.slice(1).filter((number, at) => number - (numbers[at] ?? Number.NaN) === 1);
  return next.length >= (numbers.length - 1) * REGULAR_SHARE_MIN;
}
