import { Temporal } from 'temporal-polyfill';

/** Zones change their offset at quarters of an hour, so one answer holds for a quarter. */
const QUARTER_MS = 900_000;
const ANSWERS_MAX = 200_000;

export interface LocalInstant {
  /** The instant, by the first reading where the hour is repeated. */
  readonly ms: number;
  /** The second reading of a repeated hour; null where there is one reading. */
  readonly laterMs: number | null;
  /** True where clocks never showed that time: an hour was left out. */
  readonly isLeftOut: boolean;
}

/** Reads times of day as the clocks of one zone showed them. */
export class LocalZone {
  readonly name: string;
  readonly #offsets = new Map<number, readonly [first: number, second: number, isLeftOut: boolean]>();

  /** Throws a RangeError for a name that is no zone. */
  constructor(name: string) {
    this.name = name;
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name);
  }

  /** `localMs`: what the clock showed, as if it were UTC. */
  instantOf(localMs: number): LocalInstant {
    const quarter = Math.floor(localMs / QUARTER_MS);
    const [first, second, isLeftOut] = this.#offsets.get(quarter) ?? this.#ask(quarter);
    return { ms: localMs - first, laterMs: second === first || isLeftOut ? null : localMs - second, isLeftOut };
  }

  #ask(quarter: number): readonly [number, number, boolean] {
    const shown = Temporal.Instant.fromEpochMilliseconds(quarter * QUARTER_MS)
      .toZonedDateTimeISO('UTC')
      .toPlainDateTime();
    const earlier = shown.toZonedDateTime(this.name, { disambiguation: 'earlier' });
    const later = shown.toZonedDateTime(this.name, { disambiguation: 'later' });
    const offsetOf = (instantMs: number): number => quarter * QUARTER_MS - instantMs;
    const isLeftOut = !later.toPlainDateTime().equals(shown);
    // Of a time that never was, both readings are off by the gap; `later` is what clocks show after it.
    const first = offsetOf((isLeftOut ? later : earlier).epochMilliseconds);
    const answer = [first, isLeftOut ? first : offsetOf(later.epochMilliseconds), isLeftOut] as const;
    if (this.#offsets.size >= ANSWERS_MAX) this.#offsets.clear();
    this.#offsets.set(quarter, answer);
    return answer;
  }
}
