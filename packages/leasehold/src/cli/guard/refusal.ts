import type { AcquireAnswer } from '../../domain/answers.ts';
import { exitCodeOfAcquire } from '../exit-codes.ts';

/**
 * With `--quiet-skips N` the skips of a row are silent but for the Nth, the 2Nth and so on, so that cron
 * doesn't mail each. Only skips because a run is still at work are counted in a row, so only they are
 * silenced: any other reason waits for a person, or passes, and is said each time.
 */
export function isSkipSaid(answer: AcquireAnswer, { quietSkips }: { readonly quietSkips: number | null }): boolean {
  if (quietSkips === null || answer.outcome !== 'skipped' || answer.reason !== 'held') return true;
  return answer.skipsInRow % quietSkips === 0;
}

/** 75 or 76, or in place of 75 what `--skip-exit-code` says. */
export function exitCodeOfRefusal(
  answer: AcquireAnswer,
  { skipExitCode }: { readonly skipExitCode: number | null },
): number {
  return answer.outcome === 'skipped' && skipExitCode !== null ? skipExitCode : exitCodeOfAcquire(answer);
}
