import { percentile } from '../../domain/advise.ts';
import type { HolderInfo } from '../../domain/lock-state.ts';
import type { Outcome, PreviousLease, Run, RunStatus, SkipReason } from '../../domain/run.ts';
import type { AcquireRequest, RunsQuery } from '../../ports/store.ts';
import { loadSqlBlocks } from '../sql-blocks.ts';
import { readInteger, toJson } from './columns.ts';
import { type SeenRun, toRun, toSeenRun } from './rows.ts';
import type { Session } from './session.ts';

const sql = loadSqlBlocks(new URL('./sql/runs.sql', import.meta.url), [
  'run_of_start',
  'run_of_token',
  'write_run',
  'lose_run',
  'mark_loss_told',
  'end_run',
  'note_holder_info',
  'note_renewal',
  'add_status',
  'runs_newest',
  'runs_of_lock',
  'runs_of_run_id',
  'usual_durations',
]);

/** What came of a start, beside what was asked; instants on the store's clock. */
export interface StartResult {
  readonly outcome: Outcome;
  readonly reason: SkipReason | null;
  readonly fence: number | null;
  readonly token: string | null;
  readonly startedAt: number;
  readonly ageMs: number | null;
  readonly previous: PreviousLease | null;
  /** Of a reclaim the run that lost its lease; of a slot that is done the run which did it. */
  readonly previousRunId: string | null;
  readonly isTold: boolean;
  readonly isCounted: boolean;
  readonly message: string;
}

/** The row of this very start: same run id **and** same holder; null if it was not seen before. */
export function findStart(session: Session, { lock, runId, holder }: AcquireRequest): SeenRun | null {
  const row = session.get(sql.run_of_start, { lock, run_id: runId, holder });
  return row === undefined ? null : toSeenRun(row);
}

/** The run of this lock that a token belongs to, or once did; null for a token that no run has. */
export function findOwner(session: Session, lock: string, token: string): SeenRun | null {
  const row = session.get(sql.run_of_token, { lock, token });
  return row === undefined ? null : toSeenRun(row);
}

/** Writes a start's row: a new one, or the one of the same start, which must not have proceeded. */
export function writeStart(session: Session, request: AcquireRequest, result: StartResult): void {
  session.run(sql.write_run, {
    run_id: request.runId,
    lock: request.lock,
    holder: request.holder,
    holder_info: toJson(request.holderInfo),
    trigger: request.trigger,
    slot_at: request.slotAt?.getTime() ?? null,
    again: request.again ? 1 : 0,
    outcome: result.outcome,
    reason: result.reason,
    bypass_reason: result.outcome === 'bypassed' ? request.bypassReason : null,
    fence: result.fence,
    token: result.token,
    started_at: result.startedAt,
    lease_ms: request.leaseMs,
    grace_ms: request.graceMs,
    age_ms: result.ageMs,
    previous_run_id: result.previousRunId,
    previous: toJson(result.previous),
    told: result.isTold ? 1 : 0,
    counted: result.isCounted ? 1 : 0,
    message: result.message,
  });
}

/** Notes that another start took a run's lease over; nothing where it has ended by itself. */
export function loseRun(
  session: Session,
  lost: { lock: string; token: string; renewedAt: number | null },
  now: number,
): void {
  session.run(sql.lose_run, { lock: lost.lock, token: lost.token, renewed_at: lost.renewedAt, now });
}

/** Notes that the loss of a run's lease has been told as an event. */
export function markLossTold(session: Session, lock: string, token: string): void {
  session.run(sql.mark_loss_told, { lock, token });
}

/** Notes the end of a run; the first one counts. */
export function endRun(session: Session, lock: string, token: string, now: number): void {
  session.run(sql.end_run, { lock, token, now });
}

/** Replaces what is known of a run's holder. */
export function noteHolderInfo(session: Session, lock: string, token: string, holderInfo: HolderInfo): void {
  session.run(sql.note_holder_info, { lock, token, holder_info: toJson(holderInfo) });
}

/** Keeps on the run when its lease was last renewed, before the lock's row forgets it. */
export function noteRenewal(session: Session, lock: string, token: string, renewedAt: number | null): void {
  session.run(sql.note_renewal, { lock, token, renewed_at: renewedAt });
}

/** Adds a status to a run without one; never changes one. */
export function addStatus(session: Session, lock: string, token: string, status: RunStatus): void {
  session.run(sql.add_status, { lock, token, status });
}

/** The median of what the newest 50 starts took that ended with success, among the newest 200 that ran; null without any. */
export function usualMs(session: Session, lock: string): number | null {
  const took = session.all(sql.usual_durations, { lock }).map((row) => Math.max(0, readInteger(row, 'took_ms')));
  return took.length === 0 ? null : percentile(took, 0.5);
}

/** Newest first. Of a run that still has its lock, the last renewal is the one on the lock's row. */
export function listRuns(session: Session, { lock, runId, limit }: RunsQuery): Run[] {
  if (runId !== null) return session.all(sql.runs_of_run_id, { run_id: runId, lock, limit }).map(toRun);
  if (lock !== null) return session.all(sql.runs_of_lock, { lock, limit }).map(toRun);
  return session.all(sql.runs_newest, { limit }).map(toRun);
}
