import { indexFrom } from '../schedule/day-plan.ts';
import type { EmptyStretch, SlotFacts } from './slots.ts';

/**
 * Hours in which nothing is planned, seen by the history alone: at night, at weekends, nothing starts, again and again.
 * A slot is taken for one of these where at the same time of the same weekday, or of the days around it while there
 * are no weeks, mostly nothing started either. What lies in the same silence tells nothing of it: an outage of a
 * fortnight is none the less an outage.
 *
 * Only for slots that were inferred: where a schedule is known, it knows its hours.
 */
export function withoutClosedHours(slots: SlotFacts, starts: Float64Array): SlotFacts {
  const total = slots.empty.reduce((sum, { count }) => sum + count, 0);
  if (total === 0 || total > SLOTS_MAX || slots.gapMs > DAY_MS) return slots;
  const known = new KnownStarts(starts, slots.gapMs);
  const empty = slots.empty.flatMap((stretch) => openPart(stretch, known));
  const closed = total - empty.reduce((sum, { count }) => sum + count, 0);
  return closed === 0 ? slots : { ...slots, empty, slotCount: slots.slotCount - closed, closed };
}

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
/** More would take long. */
const SLOTS_MAX = 1_000_000;
const NEIGHBOURS = 4;

/** What is left of a silence without the hours in which nothing is planned. */
function openPart(stretch: EmptyStretch, known: KnownStarts): readonly EmptyStretch[] {
  const { firstMs, lastMs, count } = stretch;
  const stepMs = count > 1 ? (lastMs - firstMs) / (count - 1) : 0;
  let [open, openFirstMs, openLastMs] = [0, firstMs, lastMs];
  for (let at = 0; at < count; at += 1) {
    const slotMs = firstMs + at * stepMs;
    if (known.isClosed(slotMs, stretch)) continue;
    if (open === 0) openFirstMs = slotMs;
    openLastMs = slotMs;
    open += 1;
  }
  return open === 0 ? [] : [{ ...stretch, firstMs: openFirstMs, lastMs: openLastMs, count: open }];
}

class KnownStarts {
  readonly #starts: Float64Array;
  readonly #gapMs: number;
  readonly #firstMs: number;
  readonly #lastMs: number;
  readonly #hasWeekends: boolean;

  constructor(starts: Float64Array, gapMs: number) {
    this.#starts = starts;
    this.#gapMs = gapMs;
    this.#firstMs = starts[0] ?? 0;
    this.#lastMs = starts.at(-1) ?? 0;
    this.#hasWeekends = starts.some(isWeekend);
  }

  isClosed(slotMs: number, silence: EmptyStretch): boolean {
    // A silence that lasts till today may have begun on a Friday by chance.
    if (!this.#hasWeekends && silence.beforeMs !== null && isWeekend(slotMs)) return true;
    return this.#isUsuallyEmpty(slotMs, WEEK_MS, silence) ?? this.#isUsuallyEmpty(slotMs, DAY_MS, silence) ?? false;
  }

  /** Whether mostly nothing started such a time before and after; null where nothing tells. */
  #isUsuallyEmpty(slotMs: number, apartMs: number, { afterMs, beforeMs }: EmptyStretch): boolean | null {
    let [known, filled] = [0, 0];
    for (let nth = -NEIGHBOURS; nth <= NEIGHBOURS; nth += 1) {
      const ms = slotMs + nth * apartMs;
      if (nth === 0 || ms < this.#firstMs || ms > this.#lastMs) continue;
      if (ms > afterMs && (beforeMs === null || ms < beforeMs)) continue;
      known += 1;
      if (this.#hasStart(ms)) filled += 1;
    }
    return known === 0 ? null : 2 * filled <= known;
  }

  #hasStart(slotMs: number): boolean {
    const from = slotMs - this.#gapMs / 2;
    const first = this.#starts[indexFrom(this.#starts, from)];
    return first !== undefined && first < from + this.#gapMs;
  }
}

function isWeekend(ms: number): boolean {
  const day = new Date(ms).getUTCDay();
  return day === 0 || day === 6;
}
