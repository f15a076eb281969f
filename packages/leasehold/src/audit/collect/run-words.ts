import type { HistoryRun } from '../model/run.ts';

/** The words of a run in one number, since a history may have a million of them. */
const STATES = ['ended', 'running', 'waiting', 'queued'] as const;
const RESULTS = ['success', 'failure', 'crashed', 'cancelled', 'unknown'] as const;
const [FAILURE, CRASHED] = [1, 2];
const CAUSES = ['trigger', 'webhook', 'manual', 'retry', 'sub-workflow', 'unknown'] as const;
const WEBHOOK = 1;

export type RunState = HistoryRun['state'];
export type RunResult = HistoryRun['result'];
export type RunCause = HistoryRun['cause'];

const SUSPECT = 1 << 8;
const REPEATS = 1 << 9;
const HOUR_OPEN = 1 << 10;

/** Packed words are below this. */
export const WORDS_COUNT: number = 1 << 11;

export function packWords(run: HistoryRun): number {
  return (
    STATES.indexOf(run.state) |
    (RESULTS.indexOf(run.result) << 2) |
    (CAUSES.indexOf(run.cause) << 5) |
    (run.isClockSuspect ? SUSPECT : 0) |
    (run.retryOf === null ? 0 : REPEATS) |
    (run.isHourOpen === true ? HOUR_OPEN : 0)
  );
}

export const stateOf = (words: number): RunState => STATES[words & 3] ?? 'ended';
export const resultOf = (words: number): RunResult => RESULTS[(words >> 2) & 7] ?? 'unknown';
export const causeOf = (words: number): RunCause => CAUSES[(words >> 5) & 7] ?? 'unknown';
export const isClockSuspect = (words: number): boolean => (words & SUSPECT) !== 0;
/** True where it is suspect only since clocks showed its hour twice. */
export const isHourOpen = (words: number): boolean => (words & HOUR_OPEN) !== 0;
/** True where it repeats another run. */
export const isRetry = (words: number): boolean => (words & REPEATS) !== 0 || causeOf(words) === 'retry';
export const hasCrashed = (words: number): boolean => ((words >> 2) & 7) === CRASHED;
export const hasFailed = (words: number): boolean => hasCrashed(words) || ((words >> 2) & 7) === FAILURE;
/** The same, started by a schedule and not by an event. */
export const ofTrigger = (words: number): number => (isOfWebhook(words) ? words & ~(7 << 5) : words);
/** The same, started by an event and not by a schedule; what a person or another workflow started stays so. */
export const ofEvent = (words: number): number => {
  const cause = causeOf(words);
  return cause === 'trigger' || cause === 'unknown' ? (words & ~(7 << 5)) | (WEBHOOK << 5) : words;
};
export const isOfWebhook = (words: number): boolean => ((words >> 5) & 7) === WEBHOOK;
