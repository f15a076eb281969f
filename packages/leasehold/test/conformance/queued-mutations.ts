/** What `_take_queued` takes for ordinary, taken out of it: see postgres-mutations.ts. */
import type { PostgresMutation } from './postgres-mutations.ts';

const ORDINARY = '_take_queued';

export const POSTGRES_QUEUED_MUTATIONS: readonly PostgresMutation[] = [
  {
    name: 'a token that a record in the queue still carries is ordinary, in SQL',
    edits: [{ name: ORDINARY, from: ' and r.token is null as is_ordinary', to: ' as is_ordinary' }],
    caught: ['the token of a record that was put back by hand is remembered by a claim of the next ones'],
  },
  {
    name: 'one that goes alone is ordinary, in SQL',
    edits: [{ name: ORDINARY, from: 'r.idle_requeues < 2 and', to: '' }],
    caught: ['a record that cost two claims is handed out by itself, so that it takes no neighbour along (C97)'],
  },
  {
    name: 'a time to be sent by is ordinary, in SQL',
    edits: [{ name: ORDINARY, from: ' and r.send_before is null', to: '' }],
    caught: ['a claim that meets nothing but a record to be asked for owns nothing, and that record is asked for'],
  },
  {
    name: 'that others are due is ordinary, in SQL',
    edits: [{ name: ORDINARY, from: 'order by d.not_before limit 1) is null', to: 'and false) is null' }],
    caught: ['deferred records that are due come first, in the order of their instants'],
  },
  {
    name: 'a pool with versions is ordinary, in SQL',
    edits: [{ name: ORDINARY, from: 'if is_versioned then', to: 'if false then' }],
    caught: ['a version that a person has made free is not handed out while another of its id is claimed (G4)'],
  },
];
