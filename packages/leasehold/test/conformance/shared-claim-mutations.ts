/** What says that another process may have a claim's token, taken out of both engines: see mutations.ts and postgres-mutations.ts. */
import type { Mutation } from './mutations.ts';
import type { PostgresMutation } from './postgres-mutations.ts';

const IMPLIED = [
  'where records begin with their claim its token sends without a word: no end of a process proves anything (G5)',
];
const BY_VERDICT = [
  'after a verdict by token the end of the process that claimed proves nothing: another has the token (G5)',
  'after a done by token the end of the process that claimed proves nothing: another has the token (G5)',
];

export const SHARED_CLAIM_MUTATIONS: readonly Mutation[] = [
  {
    name: 'the end of a process counts though its records began with their claim',
    edits: [{ file: 'stores/sqlite/sql/record-claims.sql', from: '1 - :explicit_begin', to: '0 * :explicit_begin' }],
    caught: IMPLIED,
  },
  {
    name: 'a verdict by token tells nothing of who may be sending',
    edits: [
      {
        file: 'stores/sqlite/records/work.ts',
        from: '[...request.verdicts, ...request.begins].filter',
        to: 'request.begins.filter',
      },
    ],
    caught: BY_VERDICT,
  },
];

export const POSTGRES_SHARED_CLAIM_MUTATIONS: readonly PostgresMutation[] = [
  {
    name: 'the end of a process counts though its records began with their claim, in SQL',
    edits: [{ name: '_write_claim', from: 'not claim.explicit_begin', to: 'false' }],
    caught: IMPLIED,
  },
];
