import type { LeaseholdEvent, LockStatus } from './answers.ts';
import { hasProceeded } from './acquire.ts';
import { forceReleaseCommand, known } from './messages.ts';
import { isOnHold, type Run } from './run.ts';

/**
 * Why a run did or didn't start, in one sentence, from what the store has recorded. Pure.
 */

/** Whether a start was or would be let in, and the sentence. */
export interface Explanation {
  /** Whether the run of that time started, or one would start now; null where the record doesn't tell. */
  readonly starts: boolean | null;
  readonly message: string;
}

const iso = (at: Date): string => at.toISOString();
/** A stored sentence as a part of another one. */
const clause = (message: string): string => message.replace(/\.$/, '');
/** A sentence ends with a full stop, but for one that ends with a command to be copied. */
const ended = (sentence: string): string => (/: leasehold .*$/.test(sentence) ? sentence : `${sentence}.`);

/** Reasons of a lost lease. The others of a refused renewal are those of a run that had none any more. */
const LOSSES: readonly unknown[] = ['given_up', 'expired', 'taken_over', 'force_released'];

/** That a run lost its lock, by what `events` (of kind `lease.lost`, newest first) say of it; null where they don't. */
export function lossOf(run: Run, events: readonly LeaseholdEvent[]): string | null {
  const event = events.find(
    ({ lock, runId, holder, data }) =>
      lock === run.lock && runId === run.runId && holder === run.holder && LOSSES.includes(data?.['reason']),
  );
  if (event === undefined) return null;
  const { reason, detail } = event.data ?? {};
  return typeof detail === 'string' ? `it lost the lock: ${detail}` : `it lost the lock (${String(reason)})`;
}

/**
 * `run` is the latest start at or before `at`; null where the record has none, as far back as `readBack` starts.
 * `loss`: that it lost its lock, see `lossOf`.
 */
export function explainThen(
  lock: string,
  at: Date,
  run: Run | null,
  readBack: number,
  loss: string | null = null,
): Explanation {
  if (run === null) {
    return {
      starts: null,
      message: `No start of lock "${lock}" is recorded at or before ${iso(at)}, among the newest ${readBack}.`,
    };
  }
  return { starts: hasProceeded(run.outcome), message: ended(runSentence(run, loss)) };
}

/** What the record has of a lock as it is now. */
export interface LockRecord {
  /** Its latest start, whatever came of it; null where there is none. */
  readonly latest: Run | null;
  /** That its latest start lost its lock; null where it did not. */
  readonly loss?: string | null;
  /** The run that it was force-released from, while no end of it is recorded; else null. */
  readonly forcedFrom: Run | null;
}

/** `status` null: no start has asked for the lock yet. */
export function explainNow(
  lock: string,
  status: LockStatus | null,
  { latest, loss = null, forcedFrom }: LockRecord,
): Explanation {
  if (status === null) {
    return { starts: true, message: `A start of lock "${lock}" would proceed now: no start has asked for it yet.` };
  }
  if (status.state === 'stale' && !status.paused && isOnHold(latest)) return explainHold(lock, status, latest);
  const [starts, reason] = stateReason(status, forcedFrom);
  const verb = starts ? 'would proceed' : 'would be skipped';
  const before = latest === null ? '' : `; its latest start: ${runSentence(latest, loss)}`;
  return { starts, message: ended(`A start of lock "${lock}" ${verb} now: ${reason}${before}`) };
}

/** Its starts leave a stale lease to a person, so that the next one is let in by that person alone. */
function explainHold(lock: string, status: LockStatus, latest: Run): Explanation {
  const message =
    `A start of lock "${lock}" like its latest one would be skipped now, since it holds (--on-stale hold): ` +
    `${endedText(status)}, and waits for a person; its latest start: run ${latest.runId} of ${iso(latest.startedAt)} ` +
    `did not start; when the old run is surely over: ${forceReleaseCommand(lock)} --now`;
  return { starts: false, message };
}

function endedText({ holder, leaseUntil }: LockStatus): string {
  return `the lease of holder ${known(holder)} ended ${leaseUntil === null ? 'unknown' : iso(leaseUntil)} without a release`;
}

function freeText(forcedFrom: Run | null): string {
  if (forcedFrom === null) return 'it is free';
  const { runId, holder } = forcedFrom;
  return `it was force-released, and would be reclaimed; its run ${runId} of holder ${known(holder)} may still be running`;
}

function stateReason(status: LockStatus, forcedFrom: Run | null): [boolean, string] {
  const holder = known(status.holder);
  const end = status.leaseUntil === null ? 'unknown' : iso(status.leaseUntil);
  if (status.paused) return [false, 'it is paused'];
  switch (status.state) {
    case 'free':
      return [true, freeText(forcedFrom)];
    case 'stale':
      return [true, `${endedText(status)}, and would be reclaimed`];
    case 'cooling':
      return [false, 'its last run asked for a pause after it'];
    case 'draining':
      return [false, `it was force-released and waits for holder ${holder} to stop`];
    case 'held':
      return [false, `holder ${holder} has it, and its lease ends ${end} unless renewed${askedText(status)}`];
  }
}

/** What `why` itself does not do: a start asks after its holder, and that may decide otherwise. */
function askedText({ holderInfo }: LockStatus): string {
  return typeof holderInfo?.['probe'] === 'string' ? ', or earlier if a start finds that it has ended' : '';
}

function runSentence(run: Run, loss: string | null): string {
  const subject = `run ${run.runId} of ${iso(run.startedAt)}`;
  if (!hasProceeded(run.outcome)) return `${subject} did not start: ${clause(run.message)}`;
  const status = run.status === null ? 'without a status' : `with ${run.status}`;
  const end = run.endedAt === null ? 'no end of it is recorded' : `it ended ${iso(run.endedAt)} ${status}`;
  return `${subject} started: ${clause(run.message)}; ${loss === null ? '' : `${loss}; `}${end}`;
}
