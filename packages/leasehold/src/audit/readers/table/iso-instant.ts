/** What a text about an instant says, before a zone is laid on it. */
export interface ReadInstant {
  /** The instant; where `isLocal`, what a clock showed, as if it were UTC. */
  readonly ms: number;
  readonly isLocal: boolean;
}

const ZERO = 48;
/** Outside of these years no history of ours was written. */
export const YEAR_MIN = 1971;
export const YEAR_MAX = 2199;
const DAYS_IN_MONTH = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Two digits at `at`, or NaN. */
function two(text: string, at: number): number {
  const tens = text.charCodeAt(at) - ZERO;
  const ones = text.charCodeAt(at + 1) - ZERO;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN;
}

/** Ms since 1970 of a day and time of day; NaN where there is no such day. A second 60 is the next minute's first. */
export function utcMs(year: number, month: number, day: number, timeMs: number): number {
  if (!(year >= YEAR_MIN && year <= YEAR_MAX && month >= 1 && month <= 12 && day >= 1)) return Number.NaN;
  if (day > (DAYS_IN_MONTH[month - 1] ?? 0)) return Number.NaN;
  if (month === 2 && day === 29 && new Date(Date.UTC(year, 1, 29)).getUTCMonth() !== 1) return Number.NaN;
  return Date.UTC(year, month - 1, day) + timeMs;
}

export function timeOfDayMs(hour: number, minute: number, second: number, ms: number): number {
  if (!(hour >= 0 && hour <= 23 && minute >= 0 && minute <= 59 && second >= 0 && second <= 60)) return Number.NaN;
  return hour * 3_600_000 + minute * 60_000 + second * 1_000 + ms;
}

/**
 * The one form that most files have, read without a regular expression: `2026-11-30T20:04:24.123Z`, with a blank for
 * the T, without seconds or with digits behind them, `+02:00`, `+0200` or nothing at the end. Answers false for
 * anything else; what was read is in `out`, so that a million rows make no garbage.
 */
export function readIso(text: string, out: { ms: number; isLocal: boolean }): boolean {
  const length = text.length;
  if (length < 16 || text.charCodeAt(4) !== 45 || text.charCodeAt(7) !== 45 || text.charCodeAt(13) !== 58) return false;
  const separator = text.charCodeAt(10);
  if (separator !== 84 && separator !== 32 && separator !== 116) return false;
  let at = 16;
  let second = 0;
  let fraction = 0;
  if (text.charCodeAt(at) === 58) {
    second = two(text, 17);
    at = 19;
    const mark = text.charCodeAt(at);
    if (mark === 46 || mark === 44) {
      const end = digitsEnd(text, at + 1);
      fraction = msOf(text, at + 1, end);
      at = end;
    }
  }
  const offset = offsetMs(text, at);
  if (Number.isNaN(offset)) return false;
  const time = timeOfDayMs(two(text, 11), two(text, 14), second, fraction);
  const day = utcMs(two(text, 0) * 100 + two(text, 2), two(text, 5), two(text, 8), time);
  if (Number.isNaN(day)) return false;
  out.isLocal = offset === Number.POSITIVE_INFINITY;
  out.ms = out.isLocal ? day : day - offset;
  return true;
}

function digitsEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charCodeAt(at) >= ZERO && text.charCodeAt(at) <= ZERO + 9) at += 1;
  return at;
}

/** Of the digits behind a second's point, the first three. */
function msOf(text: string, from: number, end: number): number {
  let ms = 0;
  for (let at = from; at < from + 3; at += 1) ms = ms * 10 + (at < end ? text.charCodeAt(at) - ZERO : 0);
  return ms;
}

/** The offset at the end of a text, from `at` on; Infinity where there is none, NaN where it is something else. */
function offsetMs(text: string, at: number): number {
  const rest = text.length - at;
  if (rest === 0) return Number.POSITIVE_INFINITY;
  const sign = text.charCodeAt(at);
  if (rest === 1 && (sign === 90 || sign === 122)) return 0;
  if (sign !== 43 && sign !== 45) return Number.NaN;
  const hours = two(text, at + 1);
  const isColon = text.charCodeAt(at + 3) === 58;
  const minutes = rest === 3 ? 0 : two(text, at + (isColon ? 4 : 3));
  if (rest !== 3 && rest !== (isColon ? 6 : 5)) return Number.NaN;
  if (!(hours <= 15 && minutes <= 59)) return Number.NaN;
  return (sign === 45 ? -1 : 1) * (hours * 3_600_000 + minutes * 60_000);
}
