/** Guards of what a provider must be asked for, taken out of both engines: see mutations.ts. */
import type { Mutation } from './mutations.ts';
import type { PostgresMutation } from './postgres-mutations.ts';

const QUEUE = 'stores/sqlite/records/queue.ts';
const ALONE = 'one that goes alone is the first of a claim of 10 also where what is before it must be asked for';
const NO_OTHERS = 'what goes alone and must be asked for first keeps no others from the claim that meets it';
const GOES_ON = 'nor from the same claim when it goes on';
const KEPT = 'since when its sender doesn’t know is kept in review, for a person who has its provider asked';

export const ASK_FIRST_MUTATIONS: readonly Mutation[] = [
  {
    name: 'what must be asked for is a neighbour of what goes alone',
    edits: [{ file: QUEUE, from: 'some || given.length > 0', to: 'some || given.length + toAsk.length > 0' }],
    caught: [ALONE],
  },
  {
    name: 'what goes alone and must be asked for ends the search',
    edits: [{ file: QUEUE, from: 'if (given.length > 0 && goesAlone(candidate))', to: 'if (goesAlone(candidate))' }],
    caught: [NO_OTHERS],
  },
  {
    name: 'what is flagged is a claim’s to work',
    edits: [{ file: 'stores/sqlite/sql/record-taking.sql', from: 'and unknown_at is null', to: '' }],
    caught: [GOES_ON],
  },
  {
    name: 'review forgets that a sender doesn’t know',
    edits: [
      {
        file: 'domain/records/transitions.ts',
        from: "...UNASKED, state: 'review',",
        to: "...UNASKED, unknownAt: null, state: 'review',",
      },
    ],
    caught: [KEPT],
  },
];

export const POSTGRES_ASK_FIRST_MUTATIONS: readonly PostgresMutation[] = [
  {
    name: 'what must be asked for is a neighbour of what goes alone, in SQL',
    edits: [{ name: '_take_next', from: 'from candidates c where not c.asks_first', to: 'from candidates c' }],
    caught: [ALONE],
  },
  {
    name: 'what goes alone and must be asked for ends the search, in SQL',
    edits: [{ name: '_has_alone', from: 'and r.unknown_at is null', to: '' }],
    caught: [NO_OTHERS, GOES_ON],
  },
  {
    name: 'review forgets that a sender doesn’t know, in SQL',
    edits: [
      { name: '_to_review', from: 'asked_at = null, ask_since', to: 'unknown_at = null, asked_at = null, ask_since' },
    ],
    caught: [KEPT],
  },
];
