import type { EventKind, LeaseholdEvent, Severity } from '../../domain/answers.ts';
import type { LockState } from '../../domain/lock-state.ts';
import type { Outcome, PreviousLease, Run, RunState, RunStatus } from '../../domain/run.ts';
import type { SlotState } from '../../domain/slot.ts';
import {
  readDate,
  readDateOrNull,
  readInteger,
  readIntegerOrNull,
  readObjectOrNull,
  readText,
  readTextOrNull,
} from './columns.ts';
import type { SqlRow } from './driver.ts';

/** Rows as values of the domain. Words in columns with a check constraint are taken at their word. */

export function toLockState(row: SqlRow): LockState {
  return {
    name: readText(row, 'name'),
    fence: readInteger(row, 'fence'),
    token: readTextOrNull(row, 'token'),
    runId: readTextOrNull(row, 'run_id'),
    holder: readTextOrNull(row, 'holder'),
    holderInfo: readObjectOrNull(row, 'holder_info'),
    since: readIntegerOrNull(row, 'since'),
    leaseMs: readIntegerOrNull(row, 'lease_ms'),
    leaseUntil: readIntegerOrNull(row, 'lease_until'),
    renewedAt: readIntegerOrNull(row, 'renewed_at'),
    progress: readTextOrNull(row, 'progress'),
    graceMs: readInteger(row, 'grace_ms'),
    freeAt: readIntegerOrNull(row, 'free_at'),
    drainUntil: readIntegerOrNull(row, 'drain_until'),
    skipsInRow: readInteger(row, 'skips_in_row'),
    lastSuccessAt: readIntegerOrNull(row, 'last_success_at'),
    lastSuccessSlotAt: readIntegerOrNull(row, 'last_success_slot_at'),
    pausedAt: readIntegerOrNull(row, 'paused_at'),
    schedule: readTextOrNull(row, 'schedule'),
    timezone: readTextOrNull(row, 'timezone'),
    nextSlotAt: readIntegerOrNull(row, 'next_slot_at'),
    overdueAt: readIntegerOrNull(row, 'overdue_at'),
    overdueAfterMs: readIntegerOrNull(row, 'overdue_after_ms'),
    overdueTold: readIntegerOrNull(row, 'overdue_told'),
    nearEndToldAt: readIntegerOrNull(row, 'near_end_told_at'),
  };
}

/** A run as a decision sees it, and what a repeated start is answered from. */
export interface SeenRun extends RunState {
  readonly slotAt: Date | null;
  readonly startedAt: number;
  readonly bypassReason: string | null;
  readonly status: RunStatus | null;
  readonly previous: PreviousLease | null;
  /** True once there is an event of its skip. */
  readonly isTold: boolean;
  /** True once it is in the lock's row of skips. */
  readonly isCounted: boolean;
  /** True once there is an event of its lost lease. */
  readonly isLossTold: boolean;
  readonly message: string;
}

export function toSeenRun(row: SqlRow): SeenRun {
  return {
    runId: readText(row, 'run_id'),
    holder: readText(row, 'holder'),
    outcome: readText(row, 'outcome') as Outcome,
    token: readTextOrNull(row, 'token'),
    fence: readIntegerOrNull(row, 'fence'),
    endedAt: readIntegerOrNull(row, 'ended_at'),
    lostAt: readIntegerOrNull(row, 'lost_at'),
    slotAt: readDateOrNull(row, 'slot_at'),
    startedAt: readInteger(row, 'started_at'),
    bypassReason: readTextOrNull(row, 'bypass_reason'),
    status: readTextOrNull(row, 'status') as RunStatus | null,
    previous: toPreviousLease(readObjectOrNull(row, 'previous')),
    isTold: readInteger(row, 'told') !== 0,
    isCounted: readInteger(row, 'counted') !== 0,
    isLossTold: readInteger(row, 'loss_told') !== 0,
    message: readText(row, 'message'),
  };
}

export function toSlotState(row: SqlRow): SlotState {
  return {
    isDone: readInteger(row, 'is_done') !== 0,
    runId: readTextOrNull(row, 'run_id'),
    holder: readTextOrNull(row, 'holder'),
    startedAt: readIntegerOrNull(row, 'started_at'),
    endedAt: readIntegerOrNull(row, 'ended_at'),
  };
}

export function toRun(row: SqlRow): Run {
  return {
    runId: readText(row, 'run_id'),
    lock: readText(row, 'lock'),
    outcome: readText(row, 'outcome') as Outcome,
    reason: readTextOrNull(row, 'reason'),
    slotAt: readDateOrNull(row, 'slot_at'),
    holder: readText(row, 'holder'),
    holderInfo: readObjectOrNull(row, 'holder_info'),
    trigger: readTextOrNull(row, 'trigger'),
    fence: readIntegerOrNull(row, 'fence'),
    startedAt: readDate(row, 'started_at'),
    endedAt: readDateOrNull(row, 'ended_at'),
    status: readTextOrNull(row, 'status') as RunStatus | null,
    leaseMs: readIntegerOrNull(row, 'lease_ms'),
    renewedAt: readDateOrNull(row, 'renewed_at'),
    ageMs: readIntegerOrNull(row, 'age_ms'),
    previousRunId: readTextOrNull(row, 'previous_run_id'),
    message: readText(row, 'message'),
  };
}

export function toEvent(row: SqlRow): LeaseholdEvent {
  return {
    eventId: readInteger(row, 'seq'),
    at: readDate(row, 'at'),
    kind: readText(row, 'kind') as EventKind,
    severity: readText(row, 'severity') as Severity,
    lock: readTextOrNull(row, 'lock'),
    pool: readTextOrNull(row, 'pool'),
    recordId: readTextOrNull(row, 'record_id'),
    runId: readTextOrNull(row, 'run_id'),
    holder: readTextOrNull(row, 'holder'),
    message: readText(row, 'message'),
    data: readObjectOrNull(row, 'data'),
  };
}

/** The lease that a reclaim took over, as it was stored: JSON knows no dates. */
function toPreviousLease(stored: Readonly<Record<string, unknown>> | null): PreviousLease | null {
  if (stored === null) return null;
  const text = (key: keyof PreviousLease): string | null => {
    const value = stored[key];
    return typeof value === 'string' ? value : null;
  };
  const date = (key: keyof PreviousLease): Date | null => {
    const value = text(key);
    return value === null ? null : new Date(value);
  };
  return {
    holder: text('holder'),
    runId: text('runId'),
    since: date('since'),
    ageMs: typeof stored['ageMs'] === 'number' ? stored['ageMs'] : null,
    renewedAt: date('renewedAt'),
    progress: text('progress'),
    probe: text('probe'),
  };
}
