import type { AcquireAnswer } from '../domain/answers.ts';
import type { SkipReason } from '../domain/run.ts';
import { elapsedMs } from '../domain/timing.ts';
import type { CheckedStart } from './arguments.ts';
import { type Asked, askStore, startInquiry } from './ask.ts';
import type { EngineParts } from './parts.ts';

const FIRST_PAUSE_MS = 250;
const PAUSE_MS_MAX = 2_000;
/** A lease that is about to end is not asked after more often than this. */
const PAUSE_MS_MIN = 50;

/** Reasons that pass by themselves. The others wait for a person, or for nothing. */
const PASSING: readonly SkipReason[] = ['held', 'draining', 'cooling', 'contended'];

/**
 * Asks until the lock is granted or the bound is reached. There is no queue: each ask is a new one by
 * the same start (same run id), and whoever asks first after a release has it. All asks but the last
 * say `waiting`, so that a start is counted and told as skipped once, at its end.
 *
 * The lease counts from its grant: its anchor is taken before the ask that was granted (C33).
 * Throws what an ask throws, and the signal's reason if that fires between two asks.
 */
export async function askWaiting(parts: EngineParts, checked: CheckedStart): Promise<Asked> {
  const { clock, ids } = parts;
  const { request, waitMs, signal } = checked;
  const begunAt = clock.read();
  const inquiry = startInquiry(parts, request);
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(PAUSE_MS_MAX, pauseMs * 1.5)) {
    signal?.throwIfAborted();
    const isLast = elapsedMs(begunAt, clock.read()) >= waitMs;
    const asked = await askStore(parts, { ...request, waiting: !isLast }, inquiry);
    if (isLast || asked.answer.proceed) return asked;
    if (!isPassing(asked.answer)) return await askStore(parts, { ...request, waiting: false }, inquiry);
    const leftMs = waitMs - elapsedMs(begunAt, clock.read());
    const jitteredMs = (pauseMs * (1 + ids.random())) / 2;
    const nextMs = Math.max(PAUSE_MS_MIN, Math.min(jitteredMs, leaseEndMs(asked.answer)));
    await clock.sleep(Math.ceil(Math.max(0, Math.min(nextMs, leftMs))), signal ?? undefined);
  }
}

/** A slot that another run has done meanwhile stays done, so that is this start's last word, and to be told. */
function isPassing(answer: AcquireAnswer): answer is AcquireAnswer & { outcome: 'skipped' } {
  return answer.outcome === 'skipped' && PASSING.includes(answer.reason);
}

/** How long until the lease that is in the way ends by itself; Infinity where that isn't what is waited for. */
function leaseEndMs(answer: AcquireAnswer & { outcome: 'skipped' }): number {
  const isByLease = answer.reason === 'held' || answer.reason === 'draining';
  return isByLease ? (answer.current.remainingMs ?? Infinity) : Infinity;
}
