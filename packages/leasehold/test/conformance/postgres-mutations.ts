/**
 * Guards taken out of the SQL functions, one at a time, each with the tests that must notice. Edited
 * in the database of the suite, after the schema was installed as it is.
 */
import type pg from 'pg';
import { POSTGRES_ASK_FIRST_MUTATIONS } from './ask-first-mutations.ts';
import { POSTGRES_EVIDENCE_MUTATIONS } from './evidence-mutations.ts';
import { mutate } from '../stores/postgres/mutate-function.ts';
import { POSTGRES_GIVEN_UP_MUTATIONS } from './given-up-mutations.ts';
import { POSTGRES_WATCH_MUTATIONS } from './watch-mutations.ts';
import { POSTGRES_ALERT_MUTATIONS } from './alert-mutations.ts';
import { POSTGRES_RECORD_MUTATIONS } from './postgres-record-mutations.ts';

export interface FunctionEdit {
  /** Name in the schema `leasehold`. */
  readonly name: string;
  /** Must be in its body; every occurrence is replaced. */
  readonly from: string;
  readonly to: string;
}

export interface PostgresMutation {
  readonly name: string;
  readonly edits: readonly FunctionEdit[];
  /** Names of tests of the suite that fail, every one of them. */
  readonly caught: readonly string[];
}

const OF_FIFTY = 'of fifty contenders for one stale lease exactly one reclaims it';

export const POSTGRES_MUTATIONS: readonly PostgresMutation[] = [
  ...POSTGRES_ALERT_MUTATIONS,
  {
    name: 'a start does not lock the row',
    edits: [
      { name: '_row_at_once', from: ' for no key update skip locked', to: '' },
      { name: '_row_at_once', from: ' for update skip locked', to: '' },
      // Held up between what it read and what it writes, where only the row lock keeps the others out.
      { name: '_carry_out', from: 'run.outcome := decision;', to: 'run.outcome := decision; perform pg_sleep(0.05);' },
    ],
    caught: [OF_FIFTY],
  },
  {
    name: 'renew does not check the token',
    edits: [{ name: 'renew', from: 'state.token = renew.token and ', to: '' }],
    caught: [
      'a token that this lock never gave renews nothing',
      'a holder that was overtaken is told who has the lock now',
    ],
  },
  {
    name: 'renew does not check the expiry',
    edits: [{ name: 'renew', from: ' and state.lease_until > now_at', to: '' }],
    caught: ['a renewal after expiry is lost even if nobody took the lock'],
  },
  {
    name: 'release does not check the token',
    edits: [
      { name: 'release', from: ' and l.token = release.token', to: '' },
      { name: '_release_any', from: 'state.token = _release_any.token', to: 'true' },
    ],
    caught: ['a wrong token releases nothing: the lock stays held', 'a wrong token does not free a stale lock either'],
  },
  {
    name: 'a slot that is done runs again',
    edits: [
      { name: '_decide_acquire', from: "if slot.is_done and not again then return 'already_ran'; end if;", to: '' },
    ],
    caught: [
      'a slot that ran to success is not run again, and the answer tells which run did it',
      'a late success counts for its slot, whoever holds the lock: a later start of it already ran',
    ],
  },
  {
    name: 'a failure marks its slot as done',
    edits: [{ name: '_finish_slot', from: "run.status is distinct from 'success'", to: 'run.status is null' }],
    caught: ['a slot whose run ended with failure may run again'],
  },
  {
    name: 'a pause is ignored',
    edits: [
      { name: '_decide_acquire', from: "if state.paused_at is not null then return 'paused'; end if;", to: '' },
      { name: 'acquire', from: 'and l.paused_at is null ', to: '' },
    ],
    caught: ['a paused lock skips every start as paused: info, and not counted, until it is resumed'],
  },
  {
    name: 'an ordinary start on a free lock does not look for slots',
    edits: [
      { name: 'acquire', from: 'and not exists (select from leasehold.slots s where s.lock = lock_name)', to: '' },
    ],
    caught: ['a start is told the slots before its own; a start without a slot is told all'],
  },
  {
    name: 'a start told as skipped counts as told that its slot is done',
    edits: [{ name: '_already_ran', from: 'tells or was_told', to: 'tells or coalesce(seen.told, false)' }],
    caught: ['a start that was told as skipped is told as well that its slot is done, at its last ask'],
  },
  {
    name: 'a release after expiry is silent',
    edits: [
      {
        name: '_release_any',
        from: "if answer.outcome = 'expired' and not",
        to: "if answer.outcome = 'never' and not",
      },
    ],
    caught: ['a release after expiry tells of the lost lease where no renewal has, once'],
  },
  {
    name: 'a length that no lease can have is believed',
    edits: [
      { name: '_drawn_in', from: 'case when state.lease_ms > 0 then least', to: 'case when true then least' },
      { name: 'renew', from: 'case when state.lease_ms > 0 then', to: 'case when state.lease_ms >= 0 then' },
    ],
    caught: [
      'a lease whose length is unknown is renewed from its start to its end, or by what is left of it',
      'an end in the far future, of a lease whose length nobody knows, jams the lock for 31 days at most',
    ],
  },
  {
    name: 'a loss is told twice',
    edits: [{ name: 'renew', from: 'set loss_told = true', to: 'set loss_told = false' }],
    caught: ['a loss that a renewal was told of is not told again by the release after it'],
  },
  {
    name: 'a force-release leaves the pause after a release',
    edits: [{ name: 'force_release', from: ', free_at = null', to: '' }],
    caught: ['a force-release ends the pause that a release asked for, in either way, and the next start is reclaimed'],
  },
  {
    name: 'a message says it in other words than the library',
    edits: [{ name: '_message_skipped', from: 'previous run still running', to: 'previous run is still running' }],
    caught: ['a start that meets a live lease is skipped as held, and says who holds it'],
  },
  ...POSTGRES_WATCH_MUTATIONS,
  ...POSTGRES_GIVEN_UP_MUTATIONS,
  ...POSTGRES_EVIDENCE_MUTATIONS,
  ...POSTGRES_RECORD_MUTATIONS,
  ...POSTGRES_ASK_FIRST_MUTATIONS,
];

/** Makes the edits of the mutation called `name`. Throws where one changes nothing: that would prove nothing. */
export async function mutateFunctions(admin: pg.Client, name: string): Promise<void> {
  const mutation = POSTGRES_MUTATIONS.find((candidate) => candidate.name === name);
  if (mutation === undefined) throw new Error(`no mutation is called "${name}"`);
  for (const edit of mutation.edits) await mutate(admin, edit.name, edit.from, edit.to);
}
