import type { LockStatus } from '../../domain/answers.ts';
import type { LockFacts } from '../../domain/doctor-locks.ts';
import { PAGE_SIZE_MAX } from '../../domain/limits.ts';
import { elapsedMs } from '../../domain/timing.ts';
import type { Leasehold } from '../../engine/api.ts';
import type { Clock } from '../../ports/clock.ts';

/** Locks beyond these had no run lately, and a doctor should answer before one loses patience. */
const LOCKS_MAX = 100;
const RUNS_MAX = 200;
/** A store that answers slowly is asked of fewer locks. */
const LOOK_MS_MAX = 20_000;

export interface KnownLocks {
  readonly locks: readonly LockFacts[];
  /** Which ones, for people. */
  readonly of: string;
}

/** The locks that were used last, with their newest starts. Reads only. */
export async function readLocks(leasehold: Leasehold, clock: Clock): Promise<KnownLocks> {
  const begunAt = clock.read();
  const all = await leasehold.status({ limit: PAGE_SIZE_MAX });
  const locks: LockFacts[] = [];
  for (const status of all.toSorted((a, b) => usedAt(b) - usedAt(a)).slice(0, LOCKS_MAX)) {
    if (elapsedMs(begunAt, clock.read()) > LOOK_MS_MAX) break;
    locks.push(await readLock(leasehold, status));
  }
  const count = all.length === 1 ? '1 lock' : `${all.length} locks`;
  return { locks, of: locks.length === all.length ? count : `the ${locks.length} used last of ${count}` };
}

async function readLock(leasehold: Leasehold, status: LockStatus): Promise<LockFacts> {
  const { lock, paused } = status;
  const runs = await leasehold.runs({ lock, limit: RUNS_MAX });
  const [pause] = paused ? await leasehold.events({ lock, kind: 'lock.paused', limit: 1 }) : [];
  return { status, runs, pausedAt: pause?.at ?? null };
}

/** Paused and stale ones are looked at first: they are what a doctor is for. */
function usedAt({ state, paused, since, lastSuccessAt }: LockStatus): number {
  if (paused || state === 'stale') return Number.POSITIVE_INFINITY;
  return Math.max(since?.getTime() ?? 0, lastSuccessAt?.getTime() ?? 0);
}
