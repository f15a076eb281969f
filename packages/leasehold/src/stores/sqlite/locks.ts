import { clockFaultMessage, drawInLease } from '../../domain/clock-fault.ts';
import { type LockState, newLockState } from '../../domain/lock-state.ts';
import { loadSqlBlocks } from '../sql-blocks.ts';
import { toJson } from './columns.ts';
import { appendEvent } from './events.ts';
import { toLockState } from './rows.ts';
import type { Session } from './session.ts';

const sql = loadSqlBlocks(new URL('./sql/locks.sql', import.meta.url), [
  'create_lock',
  'lock_by_name',
  'locks_in_order',
  'grant_lock',
  'count_skip',
  'renew_lock',
  'extend_lock',
  'free_lock',
  'draw_in',
  'set_drain',
  'force_lock',
  'note_success',
  'note_slot_success',
  'set_pause',
]);

/**
 * A lock's row for a call that writes; null for one that no start has touched. A lease that ends too far
 * away is drawn in, and told as a `clock.fault`, once.
 */
export function findLockToWrite(session: Session, name: string, now: number): LockState | null {
  const found = findLock(session, name);
  if (found === null) return null;
  const lock = drawInLease(found, now);
  const { runId, holder, leaseUntil, drainUntil } = lock;
  if (lock === found || leaseUntil === null) return found;
  session.run(sql.draw_in, { name, lease_until: leaseUntil, drain_until: drainUntil });
  appendEvent(session, {
    at: now,
    kind: 'clock.fault',
    severity: 'warning',
    lock: name,
    runId,
    holder,
    message: clockFaultMessage(name, found.leaseUntil ?? leaseUntil, leaseUntil),
    data: { endedAt: toIso(found.leaseUntil), leaseUntil: toIso(leaseUntil) },
  });
  return lock;
}

/** A lock's row as it is; null for one that no start has touched. */
export function findLock(session: Session, name: string): LockState | null {
  const row = session.get(sql.lock_by_name, { name });
  return row === undefined ? null : toLockState(row);
}

/** All locks in the order of their names (by bytes, as in PostgreSQL's collation "C"). */
export function listLocks(session: Session, limit: number): LockState[] {
  return session.all(sql.locks_in_order, { limit }).map(toLockState);
}

/** Makes the row of a lock that has none; its fence goes on from that of its latest run. */
export function createLock(session: Session, name: string): LockState {
  session.run(sql.create_lock, { name });
  return findLock(session, name) ?? newLockState(name);
}

/** A lease as it begins. */
export interface NewLease {
  readonly fence: number;
  readonly token: string;
  readonly runId: string;
  readonly holder: string;
  readonly holderInfo: LockState['holderInfo'];
  readonly leaseMs: number;
  readonly leaseUntil: number;
  readonly graceMs: number;
}

/** Gives the lock to a new lease and forgets all that belonged to the one before. */
export function grantLock(session: Session, name: string, lease: NewLease, now: number): void {
  session.run(sql.grant_lock, {
    name,
    fence: lease.fence,
    token: lease.token,
    run_id: lease.runId,
    holder: lease.holder,
    holder_info: toJson(lease.holderInfo),
    lease_ms: lease.leaseMs,
    lease_until: lease.leaseUntil,
    grace_ms: lease.graceMs,
    now,
  });
}

export function storeSkipsInRow(session: Session, name: string, skipsInRow: number): void {
  session.run(sql.count_skip, { name, skips_in_row: skipsInRow });
}

/** Extends the lease; `progress` and `holderInfo` null keep what was said before. */
export function renewLock(
  session: Session,
  name: string,
  renewal: { leaseMs: number; leaseUntil: number; progress: string | null; holderInfo: LockState['holderInfo'] },
  now: number,
): void {
  const { leaseMs, leaseUntil, progress, holderInfo } = renewal;
  const holder_info = toJson(holderInfo);
  session.run(sql.renew_lock, { name, lease_ms: leaseMs, lease_until: leaseUntil, progress, holder_info, now });
}

/** Lets the lease go on although its holder has not renewed it: `renewed_at` stays. */
export function extendLock(session: Session, name: string, leaseUntil: number): void {
  session.run(sql.extend_lock, { name, lease_until: leaseUntil });
}

/** Frees the lock of this token, from `freeAt` on; a pending drain stays known, so that the next start is `reclaimed`. */
export function freeLock(session: Session, name: string, token: string, freeAt: number | null, now: number): void {
  session.run(sql.free_lock, { name, token, free_at: freeAt, now });
}

export function storeDrain(session: Session, name: string, drainUntil: number): void {
  session.run(sql.set_drain, { name, drain_until: drainUntil });
}

/** Takes the lock from its holder, free from `drainUntil` on; a pause that its release asked for is over. */
export function forceLock(session: Session, name: string, drainUntil: number): void {
  session.run(sql.force_lock, { name, drain_until: drainUntil });
}

export function noteSuccess(session: Session, name: string, now: number): void {
  session.run(sql.note_success, { name, now });
}

/** Notes a slot that ran to success; the latest slot counts, in whatever order they end. */
export function noteSlotSuccess(session: Session, name: string, slotAt: number): void {
  session.run(sql.note_slot_success, { name, slot_at: slotAt });
}

/** Null lets starts in again. */
export function storePause(session: Session, name: string, pausedAt: number | null): void {
  session.run(sql.set_pause, { name, paused_at: pausedAt });
}

function toIso(instant: number | null): string | null {
  return instant === null ? null : new Date(instant).toISOString();
}
