import type {
  AcquireAnswer,
  ForceReleaseAnswer,
  LeaseholdEvent,
  LockStatus,
  PauseAnswer,
  ReleaseAnswer,
  RenewAnswer,
} from '../../domain/answers.ts';
import type { Run } from '../../domain/run.ts';

/**
 * The objects of `--json`, with the fields of design §11 and no others: a start is also a handle,
 * and what an engine adds to a row for itself must not become a contract by accident. Dates become
 * ISO 8601 UTC. Only the answer of `acquire` has a token.
 */

export function acquireJson(answer: AcquireAnswer): string {
  const { outcome, proceed, lock, runId, slotAt, skipsInRow, missed, message } = answer;
  return JSON.stringify({
    outcome,
    proceed,
    lock,
    runId,
    slotAt,
    ...outcomeFields(answer),
    skipsInRow,
    missed,
    message,
  });
}

function outcomeFields(answer: AcquireAnswer): object {
  switch (answer.outcome) {
    case 'acquired': {
      const { token, fence, leaseUntil, remainingMs } = answer;
      return { token, fence, leaseUntil, remainingMs };
    }
    case 'reclaimed': {
      const { token, fence, leaseUntil, remainingMs } = answer;
      const { holder, runId, since, ageMs, renewedAt, progress, probe } = answer.previous;
      return {
        token,
        fence,
        leaseUntil,
        remainingMs,
        previous: { holder, runId, since, ageMs, renewedAt, progress, probe },
      };
    }
    case 'skipped': {
      const { holder, runId, since, ageMs, remainingMs } = answer.current;
      return { reason: answer.reason, current: { holder, runId, since, ageMs, remainingMs } };
    }
    case 'already_ran': {
      const { runId, holder, startedAt, endedAt } = answer.earlier;
      return { earlier: { runId, holder, startedAt, endedAt } };
    }
    case 'bypassed':
      return { reason: answer.reason };
  }
}

export function renewJson(answer: RenewAnswer): string {
  const { outcome, lock, runId, message } = answer;
  if (answer.outcome === 'lost') return JSON.stringify({ outcome, lock, runId, reason: answer.reason, message });
  const { leaseUntil, remainingMs } = answer;
  return JSON.stringify({ outcome, lock, runId, leaseUntil, remainingMs, message });
}

export function releaseJson({ outcome, lock, runId, message }: ReleaseAnswer): string {
  return JSON.stringify({ outcome, lock, runId, message });
}

export function forceReleaseJson({ outcome, lock, runId, holder, freeAt, message }: ForceReleaseAnswer): string {
  return JSON.stringify({ outcome, lock, runId, holder, freeAt, message });
}

/** A lock's status as design §11 has it. */
export function statusFields(status: LockStatus): object {
  const { lock, state, holder, holderInfo, since, ageMs, usualMs, leaseUntil, remainingMs } = status;
  const { skipsInRow, lastSuccessAt, nextSlotAt, paused } = status;
  const holding = { lock, state, holder, holderInfo, since, ageMs, usualMs, leaseUntil, remainingMs };
  return { ...holding, skipsInRow, lastSuccessAt, nextSlotAt, paused };
}

export function statusJson(status: LockStatus): string {
  return JSON.stringify(statusFields(status));
}

/** A run row as design §11 has it. */
export function runFields(run: Run): object {
  const { runId, lock, outcome, reason, slotAt, holder, holderInfo, trigger, fence } = run;
  const { startedAt, endedAt, status, leaseMs, renewedAt, ageMs, previousRunId, message } = run;
  const start = { runId, lock, outcome, reason, slotAt, holder, holderInfo, trigger, fence };
  return { ...start, startedAt, endedAt, status, leaseMs, renewedAt, ageMs, previousRunId, message };
}

export function runJson(run: Run): string {
  return JSON.stringify(runFields(run));
}

export function pauseJson({ outcome, lock, message }: PauseAnswer): string {
  return JSON.stringify({ outcome, lock, message });
}

export function eventJson(event: LeaseholdEvent): string {
  const { eventId, at, kind, severity, lock, runId, pool, recordId, holder, message, data } = event;
  return JSON.stringify({ eventId, at, kind, severity, lock, runId, pool, recordId, holder, message, data });
}
