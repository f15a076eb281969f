import type { OffTime } from '../model/sink.ts';
import type { Collector } from './collector.ts';

/** What sources told besides runs, found by source and workflow: one source may have told of ten thousand workflows. */
export interface Told {
  /** Sentences of these sources about themselves and about these workflows: of each source in the order it told them. */
  limits(sources: readonly string[], workflows: readonly string[]): string[];
  offTimes(sources: readonly string[], workflow: string): OffTime[];
}

const keyOf = (source: string, workflow: string | null): string => JSON.stringify([source, workflow]);

export function toldBy({ limits, offTimes }: Collector): Told {
  const numbered = limits.map((limit, nth) => ({ ...limit, nth }));
  const limitsBy = Map.groupBy(numbered, ({ source, workflow }) => keyOf(source, workflow));
  const offBy = Map.groupBy(offTimes, ({ source, workflow }) => keyOf(source, workflow));
  return {
    limits: (sources, workflows) => {
      const own = sources.flatMap((source) =>
        [null, ...workflows]
          .flatMap((workflow) => limitsBy.get(keyOf(source, workflow)) ?? [])
          .toSorted((one, other) => one.nth - other.nth),
      );
      return [...new Set(own.map(({ sentence }) => sentence))];
    },
    offTimes: (sources, workflow) =>
      sources.flatMap((source) => offBy.get(keyOf(source, workflow)) ?? []).map(({ time }) => time),
  };
}
