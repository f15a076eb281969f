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
      { file: 'stores/sqlite/records/versions.ts', from: 'some((other) => !other.waits || other.no < no)', to: 'some(() => false)' },
    ],
    caught: ['of the versions that wait for one that was deleted by hand one at a time is let in, the oldest first'],
  },
  {
    name: 'a sweep lets no version in that waits for nothing',
    edits: [{ file: 'stores/sqlite/records/settle.ts', from: 'freeStranded(session, name, limit);', to: '' }],
    caught: ['a version that waits for one that was made done or deleted by hand is let in by a sweep'],
  },
  {
    name: 'a claim forgets the token that it finds in the queue',
    edits: [
      { file: 'stores/sqlite/sql/record-taking.sql', from: 'and r.token is not null', to: 'and false' },
    ],
    caught: [
      'the token of a record that was put back by hand is remembered by a claim of its id',
      'the token of a record that was put back by hand is remembered by a claim of the next ones',
    ],
  },
];
