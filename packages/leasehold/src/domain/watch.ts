import { formatDuration } from './duration.ts';
import { isExpired, type LockState } from './lock-state.ts';
import { known, shellWord } from './messages.ts';

/**
 * What nobody asks for and somebody wants to know: that no run got through, and that a lease is nearly over.
 *
 * Identity: an episode without a run is its `overdueAt`, which every start that proceeds moves; a lease's time
 * is its end, which every renewal moves. So what was told needs no resetting, and nothing is told twice.
 * Clock: the store's. Pure; PostgreSQL decides and says the same (10-watch.sql).
 */

/** How far a lease is used without a renewal, in per cent. */
export type NearEndLevel = 50 | 80;

/** How many of a lock's newest starts are looked at for skips: retention always leaves these. */
export const SKIPS_COUNTED_MAX = 100;

/** True where three intervals went by without a run that got through, and nobody has been told. */
export function isOverdueUntold({ overdueAt, overdueTold }: LockState, now: number): boolean {
  return overdueAt !== null && overdueAt <= now && overdueAt !== overdueTold;
}

/** The level that a held lease has come to and that has not been told in its time; null for none. */
export function nearEndLevel(lock: LockState, now: number): NearEndLevel | null {
  const { token, drainUntil, leaseMs, nearEndToldAt } = lock;
  if (token === null || drainUntil !== null || leaseMs === null || leaseMs <= 0 || isExpired(lock, now)) return null;
  const level = partOfLease(lock, now);
  const told = nearEndToldAt === null ? 0 : partOfLease(lock, nearEndToldAt);
  return level > told && level > 0 ? (level as NearEndLevel) : null;
}

/**
 * What of the lease had passed, in ms, since its grant or latest renewal; an extension is none. Where a row doesn't say
 * when that was, a whole lease before its end.
 */
export function elapsedOfLease({ leaseMs, leaseUntil, renewedAt, since }: LockState, at: number): number {
  const begunAt = renewedAt ?? since;
  return begunAt === null ? (leaseMs ?? 0) - ((leaseUntil ?? at) - at) : at - begunAt;
}

/** In whole numbers, as PostgreSQL reckons: 0.8 of a lease is not the same number in both. */
function partOfLease(lock: LockState, at: number): NearEndLevel | 0 {
  const elapsed = elapsedOfLease(lock, at);
  const leaseMs = lock.leaseMs ?? 0;
  if (elapsed * 10 >= leaseMs * 8) return 80;
  return elapsed * 2 >= leaseMs ? 50 : 0;
}

/** How it was noticed that a lease was nearly over. */
export type NearEndHow = 'held' | 'renewed' | 'released';

const WHAT: Readonly<Record<NearEndHow, string>> = {
  held: 'is held past',
  renewed: 'was renewed only past',
  released: 'was released only past',
};

export function nearEndMessage(lock: LockState, level: NearEndLevel, how: NearEndHow, now: number): string {
  const used = `${formatDuration(elapsedOfLease(lock, now))} of ${formatDuration(lock.leaseMs ?? 0)}`;
  const end = how === 'held' ? `the lease ends ${iso(lock.leaseUntil ?? now)}; ` : '';
  return (
    `Lock "${lock.name}" ${WHAT[how]} ${level} % of its lease ${how === 'held' ? 'without a renewal ' : ''}(${used}) ` +
    `by run ${known(lock.runId)} of holder ${known(lock.holder)}; ` +
    `${end}for a longer lease: leasehold advise ${shellWord(lock.name)}`
  );
}

/** `skipped`: starts since the latest one that had the lock, counted up to 100. */
export function noneInIntervalMessage(lock: LockState, skipped: number): string {
  const name = shellWord(lock.name);
  const since = lock.since === null ? 'none is recorded' : `the latest one started ${iso(lock.since)}`;
  const next =
    lock.pausedAt === null
      ? `to see why: leasehold why ${name}`
      : `it is paused since ${iso(lock.pausedAt)}; to go on: leasehold resume ${name}`;
  return (
    `No run of lock "${lock.name}" got through in 3 intervals of its schedule ` +
    `(${lock.schedule ?? 'unknown'}, ${lock.timezone ?? 'unknown'}): ${since}; ${skippedText(skipped)}; ${next}`
  );
}

function skippedText(skipped: number): string {
  if (skipped === 0) return 'no start was skipped since, so look at its scheduler';
  if (skipped === 1) return '1 start was skipped since';
  const count = skipped < SKIPS_COUNTED_MAX ? String(skipped) : `at least ${SKIPS_COUNTED_MAX}`;
  return `${count} starts were skipped since`;
}

function iso(instant: number): string {
  return new Date(instant).toISOString();
}
