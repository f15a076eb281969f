/**
 * Guards taken out of the engine, one at a time, each with the tests that must notice.
 *
 * An edit is made in memory while the file is loaded (`edit-source.ts`), in the real code of the embedded
 * store: what is proven is that the suite would have caught this very fault there.
 */
import type { Edit } from '../edit-source.ts';
import { ASK_FIRST_MUTATIONS } from './ask-first-mutations.ts';
import { EVIDENCE_MUTATIONS } from './evidence-mutations.ts';
import { ALERT_MUTATIONS } from './alert-mutations.ts';
import { GIVEN_UP_MUTATIONS } from './given-up-mutations.ts';
import { RECORD_MUTATIONS } from './record-mutations.ts';
import { REPEAT_MUTATIONS } from './repeat-mutations.ts';
import { SLOT_MUTATIONS } from './slot-mutations.ts';
import { VERSION_MUTATIONS } from './version-mutations.ts';
import { WATCH_MUTATIONS } from './watch-mutations.ts';

export interface Mutation {
  readonly name: string;
  readonly edits: readonly Edit[];
  /** Names of tests of the suite that fail, every one of them. */
  readonly caught: readonly string[];
}

const GIVE_BACK = 'domain/give-back.ts';
const DECIDE = 'domain/acquire.ts';
const LOCK_STATE = 'domain/lock-state.ts';
const ACQUIRE = 'stores/sqlite/acquire.ts';
const REFUSALS = 'stores/sqlite/start-refusals.ts';
const LOCKS_SQL = 'stores/sqlite/sql/locks.sql';
const RUNS_SQL = 'stores/sqlite/sql/runs.sql';

export const MUTATIONS: readonly Mutation[] = [
  {
    name: 'release does not check the token',
    edits: [
      { file: GIVE_BACK, from: 'if (lock !== null && lock.token === token) {', to: 'if (lock !== null) {' },
      {
        file: LOCKS_SQL,
        from: 'where name = :name and token = :token;',
        to: 'where name = :name and :token = :token;',
      },
    ],
    caught: [
      'a wrong token releases nothing: the lock stays held',
      'a wrong token does not free a stale lock either',
      'a holder that was overtaken releases nothing, and its status is kept (C26)',
    ],
  },
  {
    name: 'renew does not check the token',
    edits: [
      {
        file: GIVE_BACK,
        from: "if (lock !== null && isHeldBy(lock, token, now)) return { kind: 'renew' };",
        to: "if (lock !== null && isHeldBy(lock, lock.token ?? '', now)) return { kind: 'renew' };",
      },
    ],
    caught: [
      'a token that this lock never gave renews nothing',
      'a holder that was overtaken is told who has the lock now',
    ],
  },
  {
    name: 'renew does not check the expiry',
    edits: [
      {
        file: GIVE_BACK,
        from: "if (lock !== null && isHeldBy(lock, token, now)) return { kind: 'renew' };",
        to: "if (lock !== null && isHeldBy(lock, token, 0)) return { kind: 'renew' };",
      },
    ],
    caught: [
      'a renewal after expiry is lost even if nobody took the lock',
      'at the very end of a lease it is too late to renew it',
    ],
  },
  {
    name: 'a lease still counts at the instant of its end',
    edits: [
      {
        file: LOCK_STATE,
        from: 'return lock.leaseUntil === null || lock.leaseUntil <= now;',
        to: 'return lock.leaseUntil === null || lock.leaseUntil < now;',
      },
    ],
    caught: ['a lease is held until its last millisecond and reclaimed from its end on'],
  },
  {
    name: 'a reclaim is reported as acquired',
    edits: [
      {
        file: DECIDE,
        from: "if (request.onStale === 'hold') return { kind: 'skip', reason: 'hold' };\n  return { kind: 'grant', outcome: 'reclaimed', previous };",
        to: "if (request.onStale === 'hold') return { kind: 'skip', reason: 'hold' };\n  return { kind: 'grant', outcome: 'acquired', previous: null };",
      },
    ],
    caught: ['a stale lease is reclaimed, never plainly acquired, and the answer tells whose it was (C25)'],
  },
  {
    name: 'whoever comes in the same instant does not see the winner',
    edits: [
      {
        file: DECIDE,
        from: "if (!isExpired(lock, now)) return { kind: 'skip', reason: 'held' };",
        to: "if (!isExpired(lock, now) && lock.since !== now) return { kind: 'skip', reason: 'held' };",
      },
    ],
    caught: [
      'of fifty contenders for one stale lease exactly one reclaims it',
      'of fifty starts at once on a free lock exactly one is acquired, and each other is skipped (C23)',
    ],
  },
  {
    name: 'a skip is counted again when it is repeated',
    edits: [
      {
        file: REFUSALS,
        from: "const counts = isLastAsk && reason === 'held' && seen?.isCounted !== true;",
        to: "const counts = isLastAsk && reason === 'held';",
      },
    ],
    caught: [
      'a skipped start asked again is decided anew on its own row, and counted once',
      'the same start skipped fifty times at once is counted and told once',
    ],
  },
  {
    name: 'a skip is told again when it is repeated',
    edits: [
      {
        file: REFUSALS,
        from: 'const tells = isLastAsk && (counts || seen?.isTold !== true);',
        to: 'const tells = isLastAsk;',
      },
    ],
    caught: ['a skipped start asked again is decided anew on its own row, and counted once'],
  },
  {
    name: 'a start told as skipped counts as told that its slot is done',
    edits: [{ file: REFUSALS, from: 'isTold: tells || wasTold,', to: 'isTold: tells || seen?.isTold === true,' }],
    caught: ['a start that was told as skipped is told as well that its slot is done, at its last ask'],
  },
  {
    name: 'a bypass draws in a lease that ends too far away',
    edits: [
      {
        file: ACQUIRE,
        from: 'const isBypass = request.bypassReason !== null && ',
        to: "const isBypass = request.bypassReason === '' && ",
      },
    ],
    caught: ['a bypass leaves an end that is too far away as it is, and records nothing of it'],
  },
  {
    name: 'a start that waits is counted',
    edits: [{ file: REFUSALS, from: 'const isLastAsk = !request.waiting;', to: 'const isLastAsk = true;' }],
    caught: ['a start that waits is stored, not counted, and no event'],
  },
  {
    name: 'a skip moves the expiry',
    edits: [
      {
        file: LOCKS_SQL,
        from: 'update locks set skips_in_row = :skips_in_row where name = :name;',
        to: 'update locks set skips_in_row = :skips_in_row, lease_until = lease_until + 1000 where name = :name;',
      },
    ],
    caught: ['failed acquires never move the expiry (C16)'],
  },
  {
    name: 'a late status is dropped',
    edits: [
      {
        file: GIVE_BACK,
        from: 'return { outcome, frees: false, endsRun: knowsRun, storesStatus: knowsRun };',
        to: 'return { outcome, frees: false, endsRun: knowsRun, storesStatus: false };',
      },
    ],
    caught: [
      'a holder that was overtaken releases nothing, and its status is kept (C26)',
      'a late status is added once and never changed',
    ],
  },
  {
    name: 'a run that lost its lease is not marked so',
    edits: [
      {
        file: RUNS_SQL,
        from: 'update runs set lost_at = :now, renewed_at = :renewed_at',
        to: 'update runs set lost_at = case when :now < 0 then 0 end, renewed_at = :renewed_at',
      },
    ],
    caught: ['a late release stays refused when repeated, and when the new holder has gone'],
  },
  {
    name: 'fences do not grow',
    edits: [{ file: ACQUIRE, from: 'const fence = lock.fence + 1;', to: 'const fence = Math.max(1, lock.fence);' }],
    caught: [
      'fences grow by one and tokens never repeat, however the lease before ended',
      'an unprotected counter behind the lock loses no increment, and fences only grow',
    ],
  },
  {
    name: 'a drain does not stop renewals',
    edits: [
      {
        file: LOCK_STATE,
        from: 'return lock.token === token && lock.drainUntil === null && !isExpired(lock, now);',
        to: 'return lock.token === token && !isExpired(lock, now);',
      },
    ],
    caught: ['no renewal prolongs a drain', 'the holder of a lock that was freed at once is told so'],
  },
  {
    name: 'a drain does not keep starts away',
    edits: [
      {
        file: DECIDE,
        from: "if (isDraining(lock, now)) return { kind: 'skip', reason: 'draining' };",
        to: "if (isDraining(lock, now)) return { kind: 'grant', outcome: 'reclaimed', previous };",
      },
    ],
    caught: ['a start that meets a draining lock is skipped as draining: info, and not counted'],
  },
  {
    name: 'a release forgets that it was forced',
    edits: [{ file: LOCKS_SQL, from: 'drain_until = min(drain_until, :now)\n', to: 'drain_until = null\n' }],
    caught: ['a drain ends at the release of its holder, and the next start is reclaimed'],
  },
  {
    name: 'a pause that a release asked for is not kept',
    edits: [
      {
        file: DECIDE,
        from: "if (lock.freeAt !== null && lock.freeAt > now) return { kind: 'skip', reason: 'cooling' };\n",
        to: '',
      },
    ],
    caught: ['a release with a pause after it keeps the lock free of starts until then, and no longer'],
  },
  {
    name: 'a repeated start is known by its run id alone',
    edits: [
      {
        file: RUNS_SQL,
        from: 'from runs where lock = :lock and run_id = :run_id and holder = :holder;',
        to: 'from runs where lock = :lock and run_id = :run_id and :holder = :holder;',
      },
    ],
    caught: ['a run id presented by another holder is a second start, with its own row (C08, C53)'],
  },
  {
    name: 'a repeated start gets a whole new lease',
    edits: [
      {
        file: ACQUIRE,
        from: 'const leaseUntil = lock.leaseUntil ?? now;',
        to: 'const leaseUntil = now + request.leaseMs;',
      },
    ],
    caught: ['the same start asked again gets the same token with what remains of its lease'],
  },
  {
    name: 'an age may be 0 or negative',
    edits: [
      {
        file: LOCK_STATE,
        from: 'if (since === null || !Number.isFinite(since) || since > now) return null;\n  return Math.max(1, now - since);',
        to: 'if (since === null) return null;\n  return now - since;',
      },
    ],
    caught: [
      'a lease that begins in the future has no age, and its end decides all the same (C21)',
      'a lease that began just now is 1 ms old, never 0 (C21)',
    ],
  },
  {
    name: 'an end further away than a whole lease is believed',
    edits: [{ file: 'domain/clock-fault.ts', from: 'if (leaseUntil <= latest) return lock;', to: 'return lock;' }],
    caught: ['an end further away than a whole lease is drawn in, recorded once, and reclaimed no earlier'],
  },
  {
    name: 'a length that no lease can have is believed',
    edits: [
      {
        file: 'domain/clock-fault.ts',
        from: 'return leaseMs === null || leaseMs <= 0 ? null : Math.min(leaseMs, LEASE_MS_MAX);',
        to: 'return leaseMs;',
      },
    ],
    caught: [
      'a lease whose length is unknown is renewed from its start to its end, or by what is left of it',
      'an end in the far future, of a lease whose length nobody knows, jams the lock for 31 days at most',
    ],
  },
  {
    name: 'an event bears the token',
    edits: [
      {
        file: ACQUIRE,
        from: "tell(start, 'lease.reclaimed', 'warning', message, { previous });",
        to: "tell(start, 'lease.reclaimed', 'warning', message, { previous, token });",
      },
    ],
    caught: ['no token stands in any row, event, status or message'],
  },
  {
    name: 'a message bears the token',
    edits: [
      {
        file: 'domain/messages.ts',
        from: 'until ${iso(leaseUntil)} (fence ${fence}).`;',
        to: 'until ${iso(leaseUntil)} (fence ${fence}, 00000000-0000-4000-8000-000000000001).`;',
      },
    ],
    caught: ['the first start of a lock is acquired with fence 1 and a whole lease'],
  },
  {
    name: 'a release after expiry is silent',
    edits: [
      {
        file: 'stores/sqlite/release.ts',
        from: "if ((outcome === 'expired' ||",
        to: "if (((outcome === 'expired' && now < 0) ||",
      },
    ],
    caught: ['a release after expiry tells of the lost lease where no renewal has, once'],
  },
  {
    name: 'a loss is told twice',
    edits: [{ file: 'stores/sqlite/release.ts', from: ' && owner?.isLossTold !== true', to: '' }],
    caught: ['a loss that a renewal was told of is not told again by the release after it'],
  },
  {
    name: 'a force-release leaves the pause after a release',
    edits: [
      { file: LOCKS_SQL, from: 'set drain_until = :drain_until, free_at = null', to: 'set drain_until = :drain_until' },
    ],
    caught: ['a force-release ends the pause that a release asked for, in either way, and the next start is reclaimed'],
  },
  {
    name: 'a force-release takes a lock that cools for a free one',
    edits: [
      {
        file: GIVE_BACK,
        from: 'const isCooling = lock.freeAt !== null && lock.freeAt > now;',
        to: 'const isCooling = false;',
      },
    ],
    caught: [
      'a force-release ends the pause that a release asked for, in either way, and the next start is reclaimed',
      'a pause that was asked for after a force-release is ended by another one',
    ],
  },
  {
    name: 'a refused release is no event',
    edits: [
      {
        file: 'stores/sqlite/release.ts',
        from: "if (outcome === 'not_holder') {",
        to: "if (outcome === 'not_holder' && now < 0) {",
      },
    ],
    caught: ['every refused release is an event of severity critical'],
  },
  ...SLOT_MUTATIONS,
  ...WATCH_MUTATIONS,
  ...GIVEN_UP_MUTATIONS,
  ...EVIDENCE_MUTATIONS,
  ...ALERT_MUTATIONS,
  ...RECORD_MUTATIONS,
  ...VERSION_MUTATIONS,
  ...REPEAT_MUTATIONS,
  ...ASK_FIRST_MUTATIONS,
];
