import type { LockState } from '../../domain/lock-state.ts';
import type { AcquireRequest } from '../../ports/store.ts';
import { appendEvent, type NewEvent } from './events.ts';
import type { SeenRun } from './rows.ts';
import type { Session } from './session.ts';
import { missedSlots } from './slots.ts';
import type { Heading } from './start-answers.ts';

/** What every step of one start works on. */
export interface Start {
  readonly session: Session;
  readonly request: AcquireRequest;
  readonly lock: LockState;
  /** The row of this very start, if it was seen before. */
  readonly seen: SeenRun | null;
  readonly now: number;
}

/** What a start's row has of a lease that it did not get. */
export const NOTHING_HELD = { fence: null, token: null, previous: null, previousRunId: null, reason: null } as const;

/** What the answer says of its start. To be called after the start's slot was named. A repeat has the slot of its first ask. */
export function headingOf({ session, request, lock }: Start, slotAt: Date | null = request.slotAt): Heading {
  const missed = missedSlots(session, lock.name, slotAt, lock.lastSuccessSlotAt);
  return { lock: request.lock, runId: request.runId, slotAt, missed };
}

/** Writes an event of a start. */
export function tell(
  { session, request, now }: Start,
  kind: NewEvent['kind'],
  severity: NewEvent['severity'],
  message: string,
  data: NewEvent['data'],
): void {
  const { lock, runId, holder } = request;
  appendEvent(session, { at: now, kind, severity, lock, runId, holder, message, data });
}
