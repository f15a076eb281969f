/**
 * Guards taken out of the stores, each of which the random sequences must find. Those of the embedded store are
 * the conformance suite's own edits, by their names; those of PostgreSQL are edits of its functions.
 */
import type { FunctionEdit } from '../conformance/postgres-mutations.ts';
import type { Judge } from './play.ts';

export interface Control {
  readonly name: string;
  /** Who finds it: the model always, the guarantees alone too where they speak of it. */
  readonly judges: readonly Judge[];
  /** Seen only where clocks are set back. */
  readonly oddClocks?: boolean;
}

const MODEL: readonly Judge[] = ['model'];
const BOTH: readonly Judge[] = ['model', 'invariants'];

/** The guards that everything stands on, in the first tier. */
export const SQLITE_CONTROLS: readonly Control[] = [
  { name: 'release does not check the token', judges: BOTH },
  { name: 'renew does not check the token', judges: BOTH },
  { name: 'renew does not check the expiry', judges: BOTH },
  { name: 'a lease still counts at the instant of its end', judges: BOTH },
  { name: 'a drain does not stop renewals', judges: BOTH },
  { name: 'a drain does not keep starts away', judges: BOTH },
  { name: 'a skip is counted again when it is repeated', judges: BOTH },
  { name: 'a skip is told again when it is repeated', judges: BOTH },
  { name: 'a slot that is done runs again', judges: BOTH },
  { name: 'fences do not grow', judges: BOTH },
  { name: 'an end further away than a whole lease is believed', judges: MODEL, oddClocks: true },
];

/** More of them, in the second tier. */
export const MORE_SQLITE_CONTROLS: readonly Control[] = [
  { name: 'a reclaim is reported as acquired', judges: BOTH },
  { name: 'a release forgets that it was forced', judges: BOTH },
  { name: 'a failure marks its slot as done', judges: BOTH },
  { name: 'an older slot that ends late becomes the latest', judges: MODEL },
  { name: 'a skip does not name its slot', judges: MODEL },
  { name: 'a late status is dropped', judges: MODEL },
  { name: 'a run that lost its lease is not marked so', judges: MODEL },
  { name: 'a repeated start is known by its run id alone', judges: BOTH },
  { name: 'a loss is told twice', judges: BOTH },
  { name: 'a refused release is no event', judges: BOTH },
  { name: 'a pause is ignored', judges: BOTH },
];

export interface PostgresControl extends Control {
  readonly edits: readonly FunctionEdit[];
}

export const POSTGRES_CONTROLS: readonly PostgresControl[] = [
  {
    name: 'release does not check the token',
    judges: BOTH,
    edits: [
      { name: 'release', from: ' and l.token = release.token', to: '' },
      { name: '_release_any', from: 'state.token = _release_any.token', to: 'true' },
    ],
  },
  {
    name: 'renew does not check the expiry',
    judges: BOTH,
    edits: [{ name: 'renew', from: ' and state.lease_until > now_at', to: '' }],
  },
  {
    name: 'a drain does not stop renewals',
    judges: MODEL,
    edits: [{ name: 'renew', from: ' and state.drain_until is null', to: '' }],
  },
  {
    name: 'a drain does not keep starts away',
    judges: MODEL,
    edits: [{ name: '_decide_acquire', from: "if draining then return 'draining'; end if;", to: '' }],
  },
  {
    name: 'a skip is counted again when it is repeated',
    judges: MODEL,
    edits: [{ name: '_skip', from: ' and not coalesce(seen.counted, false)', to: '' }],
  },
  {
    name: 'a skip is told again when it is repeated',
    judges: BOTH,
    edits: [{ name: '_skip', from: 'not waiting and (counts or not coalesce(seen.told, false))', to: 'not waiting' }],
  },
  {
    name: 'a slot that is done runs again',
    judges: MODEL,
    edits: [
      { name: '_decide_acquire', from: "if slot.is_done and not again then return 'already_ran'; end if;", to: '' },
    ],
  },
  {
    name: 'fences do not grow',
    judges: BOTH,
    edits: [
      { name: 'acquire', from: 'l.fence + 1', to: 'greatest(l.fence, 1)' },
      { name: '_grant', from: 'l.fence + 1', to: 'greatest(l.fence, 1)' },
    ],
  },
  {
    name: 'a loss is told twice',
    judges: BOTH,
    edits: [{ name: 'renew', from: 'set loss_told = true', to: 'set loss_told = false' }],
  },
  {
    name: 'a lease ends a millisecond early for who reclaims it',
    judges: MODEL,
    edits: [
      {
        name: '_decide_acquire',
        from: 'state.lease_until <= now_at',
        to: "state.lease_until <= now_at + interval '1 ms'",
      },
    ],
  },
];

/** What a probe said, weighed wrongly; the edits are those of the suite's evidence-mutations.ts. */
export const EVIDENCE_CONTROLS: readonly Control[] = [
  { name: 'evidence is not compared with the end of the lease', judges: BOTH },
  { name: 'evidence is not compared with the fence', judges: MODEL },
  { name: 'an extension has no bound', judges: BOTH },
  { name: 'what is unknown frees a lock', judges: BOTH },
  { name: 'evidence counts of a holder that has no probe', judges: BOTH },
];
