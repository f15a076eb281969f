import { known, shellWord } from '../messages.ts';
import { capital } from './messages.ts';

/**
 * Why a record went back to the queue, or needs a person: a word that programs test (`data.reason` of the events), and the
 * sentence for people. PostgreSQL writes the same (`_message_requeued`, `_words_review`).
 */

/**
 * `expired`: its claim's lease ended before its work began, or its pool says that a repeat is safe. `failed`: a temporary
 * failure. `returned`: given back unworked. `looked_up`: its provider's answer. `person`: somebody decided so.
 */
export type RequeueReason = 'expired' | 'failed' | 'returned' | 'looked_up' | 'person';

/**
 * `expired`: begun, its outcome unknown, and nothing can ask for it. `idle`: its claims expired or failed again and again before
 * its work began. `attempts`: they are used up. `unanswered`: nobody could say for 24 h. `said`: its owner asked for a person.
 * `evidence`: a former owner says `done` while another has begun it. `looked_up`: its provider's answer.
 */
export type ReviewReason = 'expired' | 'idle' | 'attempts' | 'unanswered' | 'said' | 'evidence' | 'looked_up';

/** What the words are about: the latest attempt, the holder that made it, and what was said of it. */
export interface AboutAttempt {
  readonly attempt: number;
  readonly holder: string | null;
  /** Of `failed`, `said`, `attempts` and `idle` the error; of `looked_up` what follows from the answer; of `person` the reason. */
  readonly words: string | null;
}

/** `notBefore` with `failed`; `wasBegun` with `expired` and `failed`. */
export function requeuedMessage(
  name: string,
  reason: RequeueReason,
  about: AboutAttempt & { readonly wasBegun: boolean; readonly notBefore: number | null },
): string {
  return `Requeued ${name}: ${requeueWords(reason, about)}`;
}

function requeueWords(reason: RequeueReason, about: Parameters<typeof requeuedMessage>[2]): string {
  const { attempt, holder, words, wasBegun, notBefore } = about;
  switch (reason) {
    case 'expired':
      return wasBegun
        ? `the outcome of attempt ${attempt} by ${known(holder)} is unknown, and its pool says that a repeat is safe.`
        : `the claim of ${known(holder)} expired before its work began.`;
    case 'failed':
      return `${wasBegun ? `attempt ${attempt} by ${known(holder)} failed` : `${known(holder)} failed before its work began`}${inBrackets(words)}; it is tried again from ${new Date(notBefore ?? 0).toISOString()} on.`;
    case 'returned':
      return `${known(holder)} gave it back unworked.`;
    case 'looked_up':
      return `its provider was asked: ${words ?? 'nothing was said'}.`;
    case 'person':
      return `a person decided so; reason: ${words ?? 'none'}`;
  }
}

/** Why a record is in review: kept as its `error`, and said in the event. `times` with `idle`, and the attempts allowed with `attempts`. */
export function reviewWords(reason: ReviewReason, about: AboutAttempt & { readonly times: number }): string {
  const { attempt, holder, words, times } = about;
  const by = `attempt ${attempt} by ${known(holder)}`;
  switch (reason) {
    case 'expired':
      return `nobody knows the outcome of ${by}, and nothing can ask for it`;
    case 'idle':
      return `its claims expired or failed ${times} times before its work began${inBrackets(words)}`;
    case 'attempts':
      return `its attempts are used up, ${times} of them${inBrackets(words)}`;
    case 'unanswered':
      return `nobody could say within 24h whether ${by} took effect`;
    case 'said':
      return `${known(holder)} asked for it${inBrackets(words)}`;
    case 'evidence':
      return `a former owner says that it is done, and ${by} is under way`;
    case 'looked_up':
      return `its provider was asked: ${words ?? 'nothing was said'}`;
  }
}

/** The words of `record.review`. */
export function reviewMessage(name: string, pool: string, words: string): string {
  return `${capital(name)} is in review: ${words}; to see what waits: leasehold review ${shellWord(pool)}`;
}

function inBrackets(words: string | null): string {
  return words === null ? '' : ` (${words})`;
}
