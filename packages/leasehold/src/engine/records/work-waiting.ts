import { recordName } from '../../domain/records/messages.ts';
import type { BeginAnswer, VerdictAnswer } from '../../domain/records/record.ts';
import { type ClockReading, elapsedMs } from '../../domain/timing.ts';
import { isLeaseholdError, LeaseholdError } from '../../errors.ts';
import type { Logger } from '../../ports/logger.ts';
import type { BeginItem, VerdictItem } from '../../ports/record-store.ts';
import { refusedBegin } from './work-items.ts';

/** What an item is sent with. */
export interface SendTerms {
  /** Of one call. */
  readonly timeoutMs: number;
  /** For how long it is tried again while the store can't be reached. */
  readonly retryForMs: number;
  /** Why it is not to be sent any more, in a sentence; null while it is. Begins only. */
  readonly refusal?: () => string | null;
}

/** A begin or a verdict. */
export interface Given {
  readonly begin: BeginItem | null;
  readonly verdict: VerdictItem | null;
  readonly terms: SendTerms;
}

/** A begin or a verdict on the line, and who waits for its answer. */
export interface Waiting extends Given {
  readonly key: string;
  readonly from: ClockReading;
  /** With which others it travels since a call did not get through; null: with what is given at the same time. */
  piece: number | null;
  readonly resolve: (answer: BeginAnswer | VerdictAnswer) => void;
  readonly reject: (error: unknown) => void;
}

export function answerItem(item: Waiting, answer: BeginAnswer | VerdictAnswer | undefined): void {
  if (answer === undefined) item.reject(new TypeError('the store left a begin or a verdict without an answer'));
  else item.resolve(answer);
}

/** A begin that is tried again near the end of its patience gets what is left of it, but this at least. */
const BEGIN_CALL_MS_MIN = 500;

/** How long one call with this item may take: whoever waits for a begin waits no longer than it is tried for. */
export function callTimeoutMs(
  { begin, from, terms }: Pick<Waiting, 'begin' | 'from' | 'terms'>,
  now: ClockReading,
): number {
  if (begin === null) return terms.timeoutMs;
  const leftMs = Math.max(BEGIN_CALL_MS_MIN, terms.retryForMs - elapsedMs(from, now));
  return Math.min(terms.timeoutMs, leftMs);
}

/** An accepted begin whose lease, or time by which it must be sent, was over before its caller heard of it is none. */
export function inTime(answer: BeginAnswer | undefined, tookMs: number): BeginAnswer | undefined {
  if (answer?.outcome !== 'accepted' || answer.remainingMs === null || answer.remainingMs > tookMs) return answer;
  const { pool, id, version } = answer;
  const name = recordName(pool, { id, version });
  const message = `Refused to begin ${name}: the store's answer came when the time to send in was over; send nothing.`;
  return refusedBegin(pool, id, version, 'lease_over', message);
}

/** Nothing more is tried: its caller is told, and of a verdict that nobody may be waiting for the log as well. */
export function giveUp(logger: Logger, pool: string, { begin, verdict, terms, reject }: Waiting, error: unknown): void {
  if (!isLeaseholdError(error, 'STORE_UNREACHABLE')) return reject(error);
  const options = { cause: error, isClosed: error.isClosed };
  if (begin !== null) {
    const message = `Could not begin record "${begin.id}" of pool "${pool}"; send nothing for it. ${error.message}`;
    return reject(new LeaseholdError(error.code, message, options));
  }
  const id = verdict?.id ?? '';
  const message = `Could not store the verdict of record "${id}" of pool "${pool}"; give it again, or the record is settled as one whose outcome nobody knows. ${error.message}`;
  logger.error(message, { pool, id, verdict: verdict?.verdict, retryForMs: terms.retryForMs });
  reject(new LeaseholdError(error.code, message, options));
}
