import { formatDuration } from '../../../domain/duration.ts';
import { grouped } from '../files/grouped.ts';

/** What is said about Make's logs. */
export const MAKE_SAID = {
  /** What the runs of a retry are filed under, whose scenario isn't named. */
  retriesName: 'incomplete executions',
  retriesUnknown: (count: number): string =>
    `${grouped(count)} retries of incomplete executions name no scenario, and this file has several: they are kept apart.`,
  changes: (count: number): string =>
    `${grouped(count)} changes to scenarios (edits, starts, stops) are no runs: left out.`,
  seenAsStart: (own: number, other: number): string =>
    `Make doesn't say whether a timestamp is a start or an end: taken for starts, they keep to the interval within ${formatDuration(own)}, for ends within ${formatDuration(other)}; so they are starts.`,
  seenAsEnd: (own: number, other: number): string =>
    `Make doesn't say whether a timestamp is a start or an end: taken for ends, the starts keep to the interval within ${formatDuration(own)}, for starts within ${formatDuration(other)}; so they are ends.`,
  takenForStart: (runs: number): string =>
    `Make doesn't say whether a timestamp is a start or an end, and ${grouped(runs)} scheduled runs don't show it: they were taken for starts.`,
} as const;
