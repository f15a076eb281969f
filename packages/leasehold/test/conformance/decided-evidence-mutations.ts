/** Guards of what a person decides against taken out of both engines: see mutations.ts and postgres-mutations.ts. */
import type { Mutation } from './mutations.ts';
import type { PostgresMutation } from './postgres-mutations.ts';

const FORGETS = [
  'a person who sends a record back forgets no reference: a done with another one tells of two effects',
  'after a requeue and a failure the reference is still known',
  'after a requeue the one that had begun it is a former owner: its done tells of two effects',
];
const PLAIN = ['a person who sends a record back forgets no reference: a done with another one tells of two effects'];
const STALE = ['a failed record can be sent back by a person, and is then as one that nothing was wrong with'];
const LATE = [
  'what its owner says of a record that its lease’s end sent to review is told, and said again it is told no more',
];
const FOUND = ['a look-up that finds another reference than a former owner’s tells of two effects'];
const SILENT = ['where both did it with references of their own, the effect was doubled: critical'];

export const DECIDED_EVIDENCE_MUTATIONS: readonly Mutation[] = [
  {
    name: 'a requeue forgets what a former owner named',
    edits: [
      {
        file: 'domain/records/transitions.ts',
        from: '  evidenceAt: null,\n  ...UNASKED,',
        to: '  evidenceAt: null,\n  evidenceRef: null,\n  ...UNASKED,',
      },
    ],
    caught: FORGETS,
  },
  {
    name: 'a plain done looks at no earlier reference',
    edits: [
      {
        file: 'stores/sqlite/sql/record-plain-work.sql',
        from: 'and r.evidence_ref is null and r.error is null',
        to: '',
      },
    ],
    caught: PLAIN,
  },
  {
    name: 'what was wrong before a person decided is said to be wrong still',
    edits: [{ file: 'stores/sqlite/records/versions.ts', from: 'hasNewer, error: null }', to: 'hasNewer }' }],
    caught: STALE,
  },
  {
    name: 'the answer of a second effect says nothing of the first',
    edits: [
      {
        file: 'stores/sqlite/records/evidence.ts',
        from: '{ ...accepted(said, finished), message }',
        to: 'accepted(said, finished)',
      },
    ],
    caught: SILENT,
  },
  {
    name: 'what came too late is told each time',
    edits: [
      {
        file: 'stores/sqlite/records/verdict.ts',
        from: "if (reason !== 'settled' || record === null || isNews",
        to: "if (reason === 'settled' || record === null || isNews",
      },
    ],
    caught: LATE,
  },
  {
    name: 'a provider’s answer is not held against what a former owner named',
    edits: [
      { file: 'stores/sqlite/records/apply-lookup.ts', from: 'tellOtherReference(session, record, {', to: 'void ({' },
      {
        file: 'stores/sqlite/records/apply-lookup.ts',
        from: 'holder: about.holder }, now)',
        to: 'holder: about.holder })',
      },
    ],
    caught: FOUND,
  },
];

export const POSTGRES_DECIDED_EVIDENCE_MUTATIONS: readonly PostgresMutation[] = [
  {
    name: 'a requeue forgets what a former owner named, in SQL',
    edits: [{ name: '_requeue', from: 'evidence_at = null', to: 'evidence_at = null, evidence_ref = null' }],
    caught: FORGETS,
  },
  {
    name: 'a plain done looks at no earlier reference, in SQL',
    edits: [{ name: '_done_plain', from: 'and r.evidence_ref is null', to: '' }],
    caught: PLAIN,
  },
  {
    name: 'a plain done of many looks at no earlier reference, in SQL',
    edits: [{ name: '_work_at_once', from: 'and l.evidence_ref is null', to: '' }],
    caught: ['the same of a done that is given with others in one call'],
  },
  {
    name: 'what was wrong before a person decided is said to be wrong still, in SQL',
    edits: [{ name: '_requeue', from: "case when reason <> 'person' then r.error end", to: 'r.error' }],
    caught: STALE,
  },
  {
    name: 'the answer of a second effect says nothing of the first, in SQL',
    edits: [
      { name: '_apply_verdict', from: 'message := leasehold._tell_doubled', to: 'perform leasehold._tell_doubled' },
    ],
    caught: SILENT,
  },
  {
    name: 'what came too late is told each time, in SQL',
    edits: [{ name: '_verdict_one', from: "decision <> 'settled' or leasehold._is_news(r, v, now_at)", to: 'true' }],
    caught: LATE,
  },
  {
    name: 'a provider’s answer is not held against what a former owner named, in SQL',
    edits: [
      { name: 'apply_lookup', from: "decision = 'done' and leasehold._differ", to: 'false and leasehold._differ' },
    ],
    caught: FOUND,
  },
];
