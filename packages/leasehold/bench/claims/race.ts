/**
 * Contestants timed in turn (A, B, C, A, B, C …) in one run on one machine, so that a busy moment meets all of them. A
 * ratio is the median of the ratios of the turns. The first turn warms up and is not counted.
 */
import { median } from '../measure.ts';

export interface Contestant {
  readonly name: string;
  /** Makes ready for one turn of `rows` rows; not timed. */
  fill(rows: number): Promise<void>;
  /** Works all rows that are there, and says how many they were. */
  work(): Promise<number>;
  close(): Promise<void>;
}

export interface Score {
  readonly name: string;
  /** Rows per second, median of the turns. */
  readonly rate: number;
  /** Smallest and largest rate of a turn. */
  readonly spread: readonly [number, number];
  readonly rates: readonly number[];
}

export interface RaceOptions {
  readonly turns: number;
  readonly rows: number;
}

export async function race(contestants: readonly Contestant[], { turns, rows }: RaceOptions): Promise<Score[]> {
  const rates = contestants.map((): number[] => []);
  for (let turn = 0; turn <= turns; turn += 1) {
    // Who goes first changes, so that nobody always meets what another left to be written.
    for (const place of contestants.keys()) {
      const index = (place + turn) % contestants.length;
      const rate = await timed(contestants[index], rows);
      if (turn > 0) rates[index]?.push(rate);
    }
  }
  return contestants.map(({ name }, index) => {
    const own = rates[index] ?? [];
    return { name, rate: median(own), spread: [Math.min(...own), Math.max(...own)], rates: own };
  });
}

/** Rows per second. */
async function timed(contestant: Contestant | undefined, rows: number): Promise<number> {
  if (contestant === undefined) throw new Error('no such contestant');
  await contestant.fill(rows);
  const started = performance.now();
  const worked = await contestant.work();
  const elapsedMs = performance.now() - started;
  if (worked !== rows) throw new Error(`${contestant.name} worked ${worked} rows of ${rows}`);
  return (worked / elapsedMs) * 1_000;
}

/** How many times as many rows per second the first made as the second, turn by turn. */
export function ratioOf(ours: Score, theirs: Score): { ratio: number; spread: readonly [number, number] } {
  const ratios = ours.rates.map((rate, turn) => rate / (theirs.rates[turn] ?? Number.NaN));
  return { ratio: median(ratios), spread: [Math.min(...ratios), Math.max(...ratios)] };
}

/** A score as it is printed. */
export function say({ rate, spread }: Score): string {
  return `${rate.toFixed(0)} rows/s (${spread[0].toFixed(0)} to ${spread[1].toFixed(0)})`;
}
