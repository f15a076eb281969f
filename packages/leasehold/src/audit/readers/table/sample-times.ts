import type { Field } from './column-map.ts';
import { type DurationUnit, readDuration } from './durations.ts';
import { believable, InstantReader } from './instants.ts';
import type { Column } from './layout.ts';
import type { DateOrder } from './written-instant.ts';

/** When a row of the sample started and how long it took, roughly: of zones and repeated hours nothing is known yet. */
export interface SampleTimes {
  readonly startMs: number | null;
  readonly tookMs: number | null;
}

export function sampleTimes(
  { start, end, duration }: Readonly<Partial<Record<Field, Column>>>,
  order: DateOrder | null,
  unit: DurationUnit,
): (row: unknown) => SampleTimes {
  const reader = new InstantReader(order, null);
  const instant = (column: Column | undefined, row: unknown): number | null =>
    column === undefined ? null : believable(reader.read(column.of(row)));
  return (row) => {
    const [startMs, endMs] = [instant(start, row), instant(end, row)];
    const saidMs = duration === undefined ? null : believable(readDuration(duration.of(row), unit));
    const tookMs = startMs === null || endMs === null ? saidMs : endMs - startMs;
    return { startMs: startMs ?? (endMs === null || tookMs === null ? null : endMs - tookMs), tookMs };
  };
}
