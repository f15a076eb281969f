import { causeOf, isClockSuspect, isRetry, stateOf, WORDS_COUNT } from '../collect/run-words.ts';
import type { ExclusionReason } from '../model/report.ts';

/** A clock may be so much ahead of ours before what it says can't be believed. */
export const AHEAD_MS_MAX: number = 5 * 60_000;
/** What is said to have been before is a number that means nothing, mostly 0. */
export const EARLIEST_MS: number = Date.UTC(1971, 0, 1);

/**
 * Why a run enters no figure; null where it does. `words` are the packed ones of `collect/run-words.ts`; instants are NaN
 * where there is none. The first that fits: it has no start; its instants can't be
 * believed; it waits; it is open; a workflow, a person or a repetition started it.
 */
export function exclusionOf(startMs: number, endMs: number, words: number, nowMs: number): ExclusionReason | null {
  const state = stateOf(words);
  const isSuspect = isClockSuspect(words);
  if (Number.isNaN(startMs)) return isSuspect ? 'clock' : 'no-start';
  const latestMs = nowMs + AHEAD_MS_MAX;
  if (isSuspect || startMs < EARLIEST_MS || startMs > latestMs) return 'clock';
  if (state === 'ended' && (endMs < startMs || endMs > latestMs)) return 'clock';
  if (state === 'waiting') return 'waiting';
  if (state !== 'ended' || Number.isNaN(endMs)) return 'open';
  const cause = causeOf(words);
  if (cause === 'sub-workflow' || cause === 'manual') return cause;
  return isRetry(words) ? 'retry' : null;
}

/**
 * For each value of the packed words: bit 1 where a run counts if its instants are good, bit 2 where a schedule or a poll
 * may have started it, whatever became of it. Most runs of a history are plain, so this spares them the questions.
 */
export const PLAIN = 1;
export const PLANNED = 2;
export const KINDS: Uint8Array = Uint8Array.from({ length: WORDS_COUNT }, (_, words) => {
  const cause = causeOf(words);
  const isPlain = exclusionOf(EARLIEST_MS, EARLIEST_MS, words, EARLIEST_MS) === null;
  const isOfTrigger = cause === 'trigger' || cause === 'unknown';
  const isPlanned = isOfTrigger && !isRetry(words) && !isClockSuspect(words);
  return (isPlain ? PLAIN : 0) | (isPlanned ? PLANNED : 0);
});
