import type { Guard } from '../guards.ts';

/** Whose word counts. */
export const VERDICT_GUARDS: readonly Guard[] = [
  {
    name: 'verdict-token',
    without: 'NO_TOKEN_ON_VERDICT',
    instance: 'ask',
    violates: 'one_effect',
    rule: '“failed” counts only from the token that the record carries.',
    title: 'A repeated “failed” queues the record of the next worker',
  },
  {
    name: 'late-done',
    without: 'NO_EVIDENCE',
    instance: 'deduplicates',
    violates: 'known_done_is_not_handed_out',
    rule: 'A late “done” of a former owner is evidence: the record is done.',
    title: 'What a late worker learned is thrown away',
  },
];
