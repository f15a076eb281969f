import type { LockStatus, SkippedAnswer } from '../../domain/answers.ts';
import { formatDuration } from '../../domain/duration.ts';
import type { HolderInfo } from '../../domain/lock-state.ts';
import { known } from '../../domain/messages.ts';
import type { Start } from '../../engine/api.ts';
import type { Session } from '../session.ts';

/**
 * A start that is asked for twice, with the same run id and holder, gets the same lease twice: that is
 * how a lost answer is mended. Two wrappers who do so would both run the command, so only the one that
 * the store has written down may go on. A holder's name does not tell them apart (`host:pid` is the same
 * in two containers); what does is the process, by all that is known of it.
 */
const IDENTITY = ['pid', 'bootId', 'pidNamespace', 'startTicks'] as const;

/**
 * Null where the lock is held for this very process; else the answer in the place of `start`, as of a
 * lock that another holds. Throws STORE_UNREACHABLE; then nobody knows, and nothing may be started.
 */
export async function findRepeat(session: Session, start: Start, self: HolderInfo): Promise<SkippedAnswer | null> {
  if (start.outcome === 'bypassed') return null;
  const status = await session.leasehold.lock(start.lock).status();
  const info = status?.holderInfo ?? null;
  if (info !== null && IDENTITY.every((key) => (info[key] ?? null) === (self[key] ?? null))) return null;
  const { lock, runId, slotAt } = start;
  const { holder = null, since = null, ageMs = null, remainingMs = null } = status ?? {};
  return {
    outcome: 'skipped',
    proceed: false,
    reason: 'held',
    lock,
    runId,
    slotAt,
    skipsInRow: status?.skipsInRow ?? 0,
    missed: [],
    message: messageOf(lock, runId, status),
    current: { holder, runId, since, ageMs, remainingMs },
  };
}

function messageOf(lock: string, runId: string, status: LockStatus | null): string {
  const age = status?.ageMs === null || status?.ageMs === undefined ? 'unknown' : formatDuration(status.ageMs);
  const end = status?.leaseUntil?.toISOString() ?? 'unknown';
  return (
    `Skipped lock "${lock}": previous run still running (holder ${known(status?.holder ?? null)}, for ${age}, ` +
    `lease ends ${end}): another process has started run ${runId}; nothing was started.`
  );
}
