import { type ReadInstant, readIso, timeOfDayMs, utcMs } from './iso-instant.ts';
import { MONTHS } from './month-names.ts';

/** Which of two numbers comes first in `03/04/2026`. */
export type DateOrder = 'dmy' | 'mdy';

/** Abbreviations that mean one offset wherever they are written, in hours (RFC 2822, and Europe's). */
const ABBREVIATIONS: Readonly<Record<string, number>> = {
  z: 0,
  utc: 0,
  gmt: 0,
  ut: 0,
  wet: 0,
  west: 1,
  cet: 1,
  cest: 2,
  eet: 2,
  eest: 3,
  edt: -4,
  est: -5,
  cdt: -5,
  cst: -6,
  mdt: -6,
  mst: -7,
  pdt: -7,
  pst: -8,
};

/** `20:04`, `8:04:24.5 PM`. */
const TIME = /(?:^|[\sT,])(\d{1,2})[:.h](\d{2})(?:[:.](\d{2})(?:[.,](\d{1,9}))?)?\s*([ap]\.?m\.?)?/i;
const ZONE =
  /(?:^|[\s\d])(?:(?:UTC|GMT)?\s*([+-])(\d{1,2}):?(\d{2})?|([A-Z]{1,4}))\s*(?:\[[\w/+-]+\]|\([\w /+-]+\))?\s*$/i;
const YEAR_FIRST = /^(\d{4})([-/]|\.\s?)(\d{1,2})\2(\d{1,2})(?!\d)/;
/** With a blank behind each dot, as Czech, Slovak and Hungarian have it, or none. */
const YEAR_LAST = /^(\d{1,2})([-/]|\.\s?)(\d{1,2})\2(\d{4}|\d{2})(?!\d)/;
const COMPACT = /^(\d{4})(\d{2})(\d{2})T?(\d{2})(\d{2})(\d{2})(?:\.(\d{1,9}))?(Z?)$/;
const WORDS =
  /^(?:[\p{L}.]+,?\s+)?(?:(\d{1,2})\.?[\s-]+(\p{L}{3,10})\.?|(\p{L}{3,10})\.?\s+(\d{1,2}))(?:[\s,-]+(\d{4}))?/u;

/** Null where it is no instant; `order` where it is one, and nobody knows whether the day or the month comes first. */
export function readWritten(text: string, order: DateOrder | null): ReadInstant | 'order' | null {
  const iso = { ms: 0, isLocal: false };
  if (readIso(text, iso)) return iso;
  const compact = COMPACT.exec(text);
  if (compact !== null) return ofCompact(compact);
  const day = dayIn(text, order);
  if (day === null || day === 'order') return day;
  const rest = text.slice(day.length);
  const time = timeIn(rest);
  if (time === null) return null;
  // The year of `date` and of ctime stands behind the time.
  const year = day.year ?? Number(/\b(\d{4})\s*$/.exec(rest)?.[1] ?? Number.NaN);
  const ms = utcMs(year, day.month, day.day, time.ms);
  const offset = time.length === 0 ? null : zoneIn(rest.replace(/\b\d{4}\s*$/, '').trimEnd());
  if (Number.isNaN(ms) || offset === 'unknown') return null;
  return offset === null ? { ms, isLocal: true } : { ms: ms - offset, isLocal: false };
}

/** Which order the two numbers of a date can only have; null where both are possible, or it is written otherwise. */
export function orderShownBy(text: string): DateOrder | null {
  const [, first = '', mark, second = ''] = YEAR_LAST.exec(text) ?? [];
  if (mark === undefined || mark.startsWith('.')) return null;
  if (Number(first) > 12) return 'dmy';
  return Number(second) > 12 ? 'mdy' : null;
}

interface Day {
  readonly year: number | null;
  readonly month: number;
  readonly day: number;
  /** Of the text that was read. */
  readonly length: number;
}

function dayIn(text: string, order: DateOrder | null): Day | 'order' | null {
  const first = YEAR_FIRST.exec(text);
  if (first !== null) {
    return { year: Number(first[1]), month: Number(first[3]), day: Number(first[4]), length: first[0].length };
  }
  const last = YEAR_LAST.exec(text);
  if (last !== null) {
    const known = last[2]?.startsWith('.') === true ? 'dmy' : (order ?? orderShownBy(text));
    if (known === null) return 'order';
    const [left, right] = [Number(last[1]), Number(last[3])];
    const year = Number(last[4]) + (last[4]?.length === 2 ? 2000 : 0);
    const [day, month] = known === 'dmy' ? [left, right] : [right, left];
    return { year, month, day, length: last[0].length };
  }
  const words = WORDS.exec(text);
  const month = MONTHS[plainWord(words?.[2] ?? words?.[3] ?? '')];
  if (words === null || month === undefined) return null;
  const year = words[5] === undefined ? null : Number(words[5]);
  return { year, month, day: Number(words[1] ?? words[4]), length: words[0].length };
}

/** A day alone is its midnight, with the length 0. */
function timeIn(rest: string): { readonly ms: number; readonly length: number } | null {
  if (rest.trim() === '') return { ms: 0, length: 0 };
  const match = TIME.exec(rest);
  if (match === null) return null;
  const [whole, hour = '', minute = '', second = '0', fraction = '', half] = match;
  let hours = Number(hour);
  if (half !== undefined) {
    if (hours < 1 || hours > 12) return null;
    hours = (hours % 12) + (/^p/i.test(half) ? 12 : 0);
  }
  const ms = timeOfDayMs(hours, Number(minute), Number(second), Number(fraction.padEnd(3, '0').slice(0, 3)));
  return Number.isNaN(ms) ? null : { ms, length: whole.length };
}

/** Offset in ms; null where no zone is named, `unknown` where one is that could be several. */
function zoneIn(rest: string): number | 'unknown' | null {
  const match = ZONE.exec(rest);
  if (match === null) return null;
  const [, sign, hours, minutes = '0', name] = match;
  if (sign !== undefined) return (sign === '-' ? -1 : 1) * (Number(hours) * 3_600_000 + Number(minutes) * 60_000);
  const word = (name ?? '').toLowerCase();
  if (word === 'am' || word === 'pm' || word === 'm' || word === 'uhr') return null;
  const offset = ABBREVIATIONS[word];
  return offset === undefined ? 'unknown' : offset * 3_600_000;
}

function ofCompact(match: RegExpExecArray): ReadInstant | null {
  const [, year, month, day, hour, minute, second, fraction = '', zone] = match;
  const time = timeOfDayMs(Number(hour), Number(minute), Number(second), Number(fraction.padEnd(3, '0').slice(0, 3)));
  const ms = utcMs(Number(year), Number(month), Number(day), time);
  return Number.isNaN(ms) ? null : { ms, isLocal: zone === '' };
}

function plainWord(word: string): string {
  return word.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
}
