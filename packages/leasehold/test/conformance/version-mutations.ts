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
];
