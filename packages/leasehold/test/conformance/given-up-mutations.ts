/** Guards of a release that says why its lease was given up, taken out of both engines: see mutations.ts and postgres-mutations.ts. */
import type { Mutation } from './mutations.ts';

const RELEASE = 'stores/sqlite/release.ts';

const TOLD =
  'a release that says why its lease had been given up tells of the loss in these words, once, and asks for no longer lease';
const TAKEN_OVER = 'where another run had taken over, the loss is told beside the refusal';
const NOT_AGAIN = 'a loss that a renewal was told of is not told again by a release that says why';
const NEVER_GAVE = 'a token that this lock never gave has lost nothing';

export const GIVEN_UP_MUTATIONS: readonly Mutation[] = [
  {
    name: 'a lease that was given up is released in silence',
    edits: [{ file: RELEASE, from: 'const isGivenUp = lost !== null &&', to: "const isGivenUp = lost === '' &&" }],
    caught: [TOLD, TAKEN_OVER],
  },
  {
    name: 'a lease that was given up should have been longer',
    edits: [{ file: RELEASE, from: ' && lost === null) tellNearEnd', to: ') tellNearEnd' }],
    caught: [TOLD],
  },
  {
    name: 'a lease that was given up is told as lost at each release',
    edits: [{ file: RELEASE, from: '    markLossTold(session, name, token);\n', to: '' }],
    caught: [TOLD, TAKEN_OVER],
  },
  {
    name: 'a lease that was given up is told as lost after its renewal was',
    edits: [{ file: RELEASE, from: ' && owner?.isLossTold !== true', to: '' }],
    caught: [TOLD, NOT_AGAIN],
  },
  {
    name: 'whoever says so has lost a lease',
    edits: [{ file: RELEASE, from: ' && (frees || owner !== null)', to: '' }],
    caught: [NEVER_GAVE],
  },
];

export const POSTGRES_GIVEN_UP_MUTATIONS: readonly {
  readonly name: string;
  readonly edits: readonly { readonly name: string; readonly from: string; readonly to: string }[];
  readonly caught: readonly string[];
}[] = [
  {
    name: 'a lease that was given up is released the ordinary way',
    edits: [{ name: 'release', from: 'lost is null and ', to: '' }],
    caught: [TOLD],
  },
  {
    name: 'a lease that was given up is released in silence',
    edits: [{ name: '_release_any', from: 'if is_given_up and not', to: 'if false and not' }],
    caught: [TOLD, TAKEN_OVER],
  },
  {
    name: 'a lease that was given up should have been longer',
    edits: [{ name: '_release_any', from: "'released' and lost is null then", to: "'released' then" }],
    caught: [TOLD],
  },
  {
    name: 'a lease that was given up is told as lost at each release',
    edits: [{ name: '_release_any', from: 'r.loss_told or is_given_up or', to: 'r.loss_told or' }],
    caught: [TOLD, TAKEN_OVER],
  },
  {
    name: 'whoever says so has lost a lease',
    edits: [{ name: '_release_any', from: ' and (is_current or owner.run_id is not null)', to: '' }],
    caught: [NEVER_GAVE],
  },
];
