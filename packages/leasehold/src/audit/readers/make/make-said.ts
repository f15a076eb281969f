import { formatDuration } from '../../../domain/duration.ts';
import { counted } from '../../words.ts';

/** What is said about Make's logs. */
export const MAKE_SAID = {
  /** What the runs of a retry are filed under, whose scenario isn't named. */
  retriesName: 'incomplete executions',
  retriesUnknown: (count: number): string =>
    `${counted(count, 'retry', 'retries')} of incomplete executions: of which scenario is not said, and this file has several. They are kept apart.`,
  changes: (count: number): string =>
    `${counted(count, 'change')} to scenarios (edits, starts, stops) left out: no runs.`,
  seenAsStart: (own: number, other: number): string =>
    `Make doesn't say whether a timestamp is a start or an end: taken for starts, they keep to the interval within ${formatDuration(own)}, for ends within ${formatDuration(other)}; so they are starts.`,
  seenAsEnd: (own: number, other: number): string =>
    `Make doesn't say whether a timestamp is a start or an end: taken for ends, the starts keep to the interval within ${formatDuration(own)}, for starts within ${formatDuration(other)}; so they are ends.`,
  takenForStart: (runs: number): string =>
    `Make doesn't say whether a timestamp is a start or an end, and ${counted(runs, 'scheduled run')} can't show it: taken for starts.`,
} as const;
