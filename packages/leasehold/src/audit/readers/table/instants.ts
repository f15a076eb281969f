import { readIso, YEAR_MAX, YEAR_MIN } from './iso-instant.ts';
import type { LocalZone } from './local-zone.ts';
import { type DateOrder, readWritten } from './written-instant.ts';

/** Stands for "there is none", in somebody's export. */
const EMPTY = new Set([
  '',
  '-',
  '--',
  '—',
  'null',
  'none',
  'nil',
  'n/a',
  'na',
  'nan',
  'nat',
  'never',
  'undefined',
  '\\n',
  '0',
]);
const ZERO_DAY = /^(?:0000-00-00|0001-01-01|1970-01-01[T ]00:00:00(?:\.0+)?(?:Z|\+00:?00)?$|1899-12-3)/;
const NUMBER = /^\d{9,19}(?:\.\d+)?$/;
const FIRST_MS = Date.UTC(YEAR_MIN, 0, 1);
const LAST_MS = Date.UTC(YEAR_MAX + 1, 0, 1);

/** Null where nothing stands there; NaN where something does that is no instant. */
export type Instant = number | null;

/** Null also for what is no instant. */
export const believable = (read: Instant): number | null => (Number.isNaN(read) ? null : read);

/**
 * Reads the instants of one column, and counts what had to be taken for granted. Times without a zone are those of
 * `zone`, or UTC where it is null.
 */
export class InstantReader {
  readonly #order: DateOrder | null;
  readonly #zone: LocalZone | null;
  readonly #iso = { ms: 0, isLocal: false };
  /** Times that name no zone. */
  localCount = 0;
  /** Times of an hour that was left out when clocks were changed. */
  leftOutCount = 0;
  /** The second reading of the last time that was read, where its hour was repeated. */
  laterMs: number | null = null;

  constructor(order: DateOrder | null, zone: LocalZone | null) {
    this.#order = order;
    this.#zone = zone;
  }

  /** `zone`: of this row, where it names one of its own. */
  read(value: unknown, zone: LocalZone | null = this.#zone): Instant {
    this.laterMs = null;
    if (typeof value === 'string') {
      if (readIso(value, this.#iso)) {
        return this.#iso.isLocal ? this.#onClock(this.#iso.ms, zone) : this.#iso.ms;
      }
      return this.#readOther(value.trim(), zone);
    }
    if (typeof value === 'number') return value === 0 ? null : ofEpoch(value);
    if (value === null || value === undefined || value === false) return null;
    return Number.NaN;
  }

  #readOther(text: string, zone: LocalZone | null): Instant {
    if (isNothing(text)) return null;
    const epochMs = NUMBER.test(text) ? ofEpoch(Number(text)) : Number.NaN;
    if (!Number.isNaN(epochMs)) return epochMs;
    const read = readWritten(text, this.#order);
    if (read === null || read === 'order') return Number.NaN;
    return read.isLocal ? this.#onClock(read.ms, zone) : read.ms;
  }

  #onClock(localMs: number, zone: LocalZone | null): number {
    this.localCount += 1;
    if (zone === null) return localMs;
    const { ms, laterMs, isLeftOut } = zone.instantOf(localMs);
    if (isLeftOut) this.leftOutCount += 1;
    this.laterMs = laterMs;
    return ms;
  }
}

function isNothing(text: string): boolean {
  return EMPTY.has(text.toLowerCase()) || ZERO_DAY.test(text);
}

/** Seconds, ms, µs or ns since 1970, told apart by their size: each covers the years that count, and no other does. */
function ofEpoch(value: number): number {
  for (const perMs of [0.001, 1, 1_000, 1_000_000]) {
    const ms = value / perMs;
    if (ms >= FIRST_MS && ms < LAST_MS) return Math.floor(ms + 1e-3);
  }
  return Number.NaN;
}
