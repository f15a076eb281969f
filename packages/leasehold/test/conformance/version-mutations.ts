/** Guards of the order of versions taken out of the embedded engine: see mutations.ts. */
import type { Mutation } from './mutations.ts';

export const VERSION_MUTATIONS: readonly Mutation[] = [
  {
    name: 'a person’s requeue waits for no other version',
    edits: [
      {
        file: 'domain/records/decide-claim.ts',
        from: "other.state === 'claimed' || other.state === 'review' || (other",
        to: '(other',
      },
    ],
    caught: [
      'an older version that a person requeues waits while the newer is claimed, and while that is in review (G4)',
    ],
  },
  {
    name: 'the newer waits for no version that a person requeues',
    edits: [
      { file: 'stores/sqlite/records/versions.ts', from: 'session.run(sql.begin_waiting, { no })', to: 'void no' },
    ],
    caught: ['an older version that a person requeues is worked first, and the newer waits for it (G4)'],
  },
  {
    name: 'a newer version is cancelled because an older one waits for it',
    edits: [
      {
        file: 'stores/sqlite/records/versions.ts',
        from: 'some(({ no }) => no > record.no)',
        to: 'some(({ no }) => no !== record.no)',
      },
    ],
    caught: ['a newer version is not cancelled because an older one waits for it'],
  },
  {
    name: 'a claim of a version that waits for nothing leaves it waiting',
    edits: [
      {
        file: 'stores/sqlite/records/offers.ts',
        from: '!isStranded(this.#session, this.#offer.pool.pool, key, offered.no)',
        to: 'true',
      },
    ],
    caught: ['a version that waits for one that was made done by hand is had by whoever claims it'],
  },
  {
    name: 'a claim lets in a version that waits for another',
    edits: [
      {
        file: 'stores/sqlite/records/versions.ts',
        from: 'some((other) => !other.waits || other.no < no)',
        to: 'some(() => false)',
      },
    ],
    caught: ['of the versions that wait for one that was deleted by hand one at a time is let in, the oldest first'],
  },
  {
    name: 'a sweep lets no version in that waits for nothing',
    edits: [{ file: 'stores/sqlite/records/settle.ts', from: 'freeStranded(session, name, limit);', to: '' }],
    caught: ['a version that waits for one that was made done or deleted by hand is let in by a sweep'],
  },
  {
    name: 'what was found too late is sent again',
    edits: [
      {
        file: 'stores/sqlite/records/apply-lookup.ts',
        from: "decision.kind === 'done' && mayBeSent(record)",
        to: 'false',
      },
    ],
    caught: [
      'found too late for a record that failed meanwhile, it is asked for anew before it is sent (G4)',
      'found too late for a record that another has claimed and not begun, its begin is refused',
    ],
  },
  {
    name: 'an answer absent counts for more than the word of a former owner',
    edits: [{ file: 'stores/sqlite/records/apply-lookup.ts', from: ' || record.evidenceAt !== null', to: '' }],
    caught: ['absent of a record that a former owner says is done is review, not a second sending'],
  },
  {
    name: 'a record that no claim knows and that must be asked for is not flagged',
    edits: [
      {
        file: 'stores/sqlite/sql/record-settle.sql',
        from: 'set unknown_at = :now where no = :no',
        to: 'set unknown_at = unknown_at where no = :no and :now > 0',
      },
    ],
    caught: ['a begun record whose claim was closed by hand is asked for by a sweep'],
  },
  {
    name: 'a claim forgets the token that it finds in the queue',
    edits: [{ file: 'stores/sqlite/sql/record-taking.sql', from: 'and r.token is not null', to: 'and false' }],
    caught: [
      'the token of a record that was put back by hand is remembered by a claim of its id',
      'the token of a record that was put back by hand is remembered by a claim of the next ones',
    ],
  },
];
