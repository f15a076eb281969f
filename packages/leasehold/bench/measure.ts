/**
 * Medians and ratios. Rivals are timed in turn (A, B, A, B …) in one run on one machine, so that a
 * busy moment meets both; a ratio is the median of the ratios of the turns.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';

export interface Rivals {
  readonly ours: () => Promise<unknown>;
  readonly theirs: () => Promise<unknown>;
  readonly turns: number;
  /** Operations per turn. */
  readonly perTurn: number;
}

export interface Comparison {
  readonly oursMs: number;
  readonly theirsMs: number;
  /** Ours divided by theirs. */
  readonly ratio: number;
  /** Smallest and largest ratio of a turn. */
  readonly spread: readonly [number, number];
}

export async function compare({ ours, theirs, turns, perTurn }: Rivals): Promise<Comparison> {
  await timePerOperation(ours, perTurn);
  await timePerOperation(theirs, perTurn);
  const pairs: [number, number][] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    const first = turn % 2 === 0;
    const [a, b] = first ? [ours, theirs] : [theirs, ours];
    const one = await timePerOperation(a, perTurn);
    const two = await timePerOperation(b, perTurn);
    pairs.push(first ? [one, two] : [two, one]);
  }
  const ratios = pairs.map(([mine, other]) => mine / other);
  return {
    oursMs: median(pairs.map(([mine]) => mine)),
    theirsMs: median(pairs.map(([, other]) => other)),
    ratio: median(ratios),
    spread: [Math.min(...ratios), Math.max(...ratios)],
  };
}

async function timePerOperation(operation: () => Promise<unknown>, count: number): Promise<number> {
  const started = performance.now();
  for (let done = 0; done < count; done += 1) await operation();
  return (performance.now() - started) / count;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [low = 0, high = low] = sorted.length % 2 === 1 ? [sorted[middle]] : [sorted[middle - 1], sorted[middle]];
  return (low + high) / 2;
}

/** One row of the table of design §10. */
export interface Measure {
  readonly measure: string;
  readonly reach: string;
  readonly got: string;
  readonly isReached: boolean;
  readonly details: Readonly<Record<string, unknown>>;
}

/** Prints the rows, and keeps them with the machine and the versions in `bench/results/NAME.json`; without a name they are printed only. */
export function report(
  name: string | null,
  rows: readonly Measure[],
  versions: Readonly<Record<string, string>>,
): void {
  const machine = {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
  };
  console.log(
    `\n${machine.cores} × ${machine.cpu}, ${machine.memoryGiB} GiB; ${Object.entries(versions)
      .map(([what, version]) => `${what} ${version}`)
      .join(', ')}\n`,
  );
  for (const row of rows) {
    console.log(`${row.isReached ? 'reached' : 'NOT REACHED'}  ${row.measure}: ${row.got} (reach ${row.reach})`);
    for (const [key, value] of Object.entries(row.details)) console.log(`             ${key}: ${String(value)}`);
  }
  if (name === null) return;
  const folder = new URL('./results/', import.meta.url);
  mkdirSync(folder, { recursive: true });
  writeFileSync(new URL(`${name}.json`, folder), `${JSON.stringify({ machine, versions, rows }, null, 2)}\n`);
}
