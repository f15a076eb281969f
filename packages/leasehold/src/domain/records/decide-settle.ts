import { ASK_MS_MAX } from './decide-lookup.ts';
import type { ReviewReason } from './reasons.ts';
import { isIdleSpent, isSpent, oneMore, type RecordRules, type StoredRecord } from './stored-record.ts';

/**
 * What becomes of a record whose claim has expired, or whose outcome its owner doesn't know, as far as that can be said
 * without its provider.
 *
 * Work that never began did nothing, so the record is anybody's again. Work that began may have taken effect: only a pool
 * whose owner has declared repeats harmless may start it anew; any other one asks, or shows it to a person.
 */

export type SettleDecision =
  /** Back to the queue. `wasBegun` false counts as another claim that came to nothing. */
  | { readonly kind: 'requeue'; readonly wasBegun: boolean; readonly sendBefore: number | null }
  /** A newer version is known, and this one was never begun. */
  | { readonly kind: 'cancel' }
  /** `times`: how many claims or attempts that are. */
  | { readonly kind: 'review'; readonly reason: ReviewReason; readonly times: number }
  /** Waits for the sweep that asks its provider. */
  | { readonly kind: 'ask' };

/**
 * `leaseUntil` is the end of its claim's lease, null where the claim's row is lost. To be asked of a record that is
 * claimed, and whose lease is over or which is flagged.
 */
export function decideSettle(
  record: StoredRecord,
  leaseUntil: number | null,
  rules: RecordRules,
  now: number,
): SettleDecision {
  if (!record.isBegun && record.unknownAt === null) return decideUnbegun(record, rules);
  const attempts = { times: record.attempt - record.attemptsForgiven };
  if (rules.redo === 'safe') {
    const until = redoUntil(record, rules);
    if (until === null || now < until) {
      return isSpent(record, rules.attempts)
        ? { kind: 'review', reason: 'attempts', ...attempts }
        : { kind: 'requeue', wasBegun: true, sendBefore: until };
    }
  }
  if (!rules.hasVerifier) return { kind: 'review', reason: 'expired', ...attempts };
  const waitsSince = record.unknownAt ?? leaseUntil ?? record.updatedAt;
  return now - waitsSince >= ASK_MS_MAX ? { kind: 'review', reason: 'unanswered', ...attempts } : { kind: 'ask' };
}

function decideUnbegun(record: StoredRecord, rules: RecordRules): SettleDecision {
  if (record.hasNewer && record.attempt === 0) return { kind: 'cancel' };
  const times = oneMore(record.idleRequeues);
  if (isIdleSpent(times, rules.attempts)) return { kind: 'review', reason: 'idle', times };
  // An attempt before this one may still be deduplicated by its provider, until then and no longer.
  return { kind: 'requeue', wasBegun: false, sendBefore: record.sendBefore };
}

/**
 * Until when a repeat may be sent: the provider's window counts from the first begin, and a call takes its time. Null for
 * ever. Work whose begin nobody knows may have begun with its claim; where that isn't known either, long ago.
 */
function redoUntil(record: StoredRecord, { redoWindowMs, callTimeoutMs }: RecordRules): number | null {
  if (redoWindowMs === null) return null;
  return (record.firstBegunAt ?? record.begunAt ?? record.claimedAt ?? 0) + redoWindowMs - callTimeoutMs;
}
