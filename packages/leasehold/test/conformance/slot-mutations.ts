/** Guards of slots and pauses taken out of the engine: see mutations.ts. */
import type { Mutation } from './mutations.ts';

const DECIDE = 'domain/acquire.ts';
const RELEASE = 'stores/sqlite/release.ts';
const LOCKS_SQL = 'stores/sqlite/sql/locks.sql';
const SLOTS_SQL = 'stores/sqlite/sql/slots.sql';

export const SLOT_MUTATIONS: readonly Mutation[] = [
  {
    name: 'a slot that is done runs again',
    edits: [
      {
        file: DECIDE,
        from: "if (slot?.isDone === true && !request.again) return { kind: 'already_ran', slot };\n",
        to: '',
      },
    ],
    caught: [
      'a slot that ran to success is not run again, and the answer tells which run did it',
      'a late success counts for its slot, whoever holds the lock: a later start of it already ran',
    ],
  },
  {
    name: 'a manual rerun is refused',
    edits: [{ file: DECIDE, from: 'slot?.isDone === true && !request.again', to: 'slot?.isDone === true' }],
    caught: ['a manual rerun of a slot that is done says again; the slot stays done whatever comes of it'],
  },
  {
    name: 'a failure marks its slot as done',
    edits: [{ file: RELEASE, from: "if (status !== 'success') return;", to: 'if (status === null) return;' }],
    caught: [
      'a slot whose run ended with failure may run again',
      'slots whose runs failed, ended without a status or were lost are missed',
    ],
  },
  {
    name: 'a rerun that does not succeed undoes its slot',
    edits: [{ file: SLOTS_SQL, from: 'where :is_run = 1 and is_done = 0;', to: 'where :is_run = 1;' }],
    caught: ['a manual rerun of a slot that is done says again; the slot stays done whatever comes of it'],
  },
  {
    name: 'an older slot that ends late becomes the latest',
    edits: [
      {
        file: LOCKS_SQL,
        from: 'max(coalesce(last_success_slot_at, :slot_at), :slot_at)',
        to: ':slot_at',
      },
    ],
    caught: ['the latest slot that ran to success is remembered, in whatever order they end'],
  },
  {
    name: 'a skip does not name its slot',
    edits: [
      {
        file: 'stores/sqlite/start-refusals.ts',
        from: '  nameSlot(session, request, false, now);\n',
        to: '',
      },
    ],
    caught: [
      'the run after a long one receives the slots that were skipped meanwhile (C61)',
      'slots that a pause skipped are missed; one that is done is said to be so',
    ],
  },
  {
    name: 'the list of missed slots forgets the oldest',
    edits: [{ file: SLOTS_SQL, from: 'order by slot_at;', to: 'order by slot_at limit -1 offset 1;' }],
    caught: [
      'of twelve missed slots that fire together one is acquired, and the next run is told the other eleven (C59)',
    ],
  },
  {
    name: 'slots are kept without end',
    edits: [
      {
        file: SLOTS_SQL,
        from: 'delete from slots where lock = :lock and slot_at < (',
        to: 'delete from slots where lock is null and :lock = :lock and slot_at < (',
      },
    ],
    caught: ['the newest 1,000 slots of a lock are kept'],
  },
  {
    name: 'a pause is ignored',
    edits: [{ file: DECIDE, from: "if (lock.pausedAt !== null) return { kind: 'skip', reason: 'paused' };\n", to: '' }],
    caught: [
      'a paused lock skips every start as paused: info, and not counted, until it is resumed',
      'a stale lease is not reclaimed in a pause, but after it',
    ],
  },
];
