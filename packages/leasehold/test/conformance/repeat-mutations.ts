/** Guards of repeated and shared claims, and of late words, taken out of the embedded engine: see mutations.ts. */
import type { Mutation } from './mutations.ts';

const VERDICT = 'domain/records/decide-verdict.ts';
const CLAIM = 'domain/records/decide-claim.ts';
const ENGINE = 'stores/sqlite/records';

export const REPEAT_MUTATIONS: readonly Mutation[] = [
  {
    name: 'a repeated claim is given what it has begun',
    edits: [{ file: CLAIM, from: 'return !(claim.explicitBegin && record.isBegun);', to: 'return true;' }],
    caught: [
      'a claim by id repeated is not given what it has begun: who asks again may be another, and the begin has sent (G1)',
    ],
  },
  {
    name: 'the end of a claimer counts though another has its token',
    edits: [
      {
        file: `${ENGINE}/claims.ts`,
        from: 'if (claim !== null && !claim.isShared)',
        to: 'if (claim?.isShared === true)',
      },
    ],
    caught: ['after a begin by token the end of the process that claimed proves nothing: another has the token (G5)'],
  },
  {
    name: 'an owner that comes too late is told of a verdict that it never gave',
    edits: [
      { file: VERDICT, from: "if (record.verdict === null) return { kind: 'refuse', reason: 'settled' };", to: '' },
    ],
    caught: [
      'what its owner says of a record that its lease’s end sent to review is told, and said again it is told no more',
    ],
  },
];
