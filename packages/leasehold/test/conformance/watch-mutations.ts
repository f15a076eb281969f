/** Guards of watching and retention taken out of both engines: see mutations.ts and postgres-mutations.ts. */
import type { Mutation } from './mutations.ts';

const WATCH = 'domain/watch.ts';
const WATCH_SQL = 'stores/sqlite/sql/watch.sql';
const PRUNE_SQL = 'stores/sqlite/sql/prune.sql';

const ONCE = 'no run in three intervals is told once: critical, since when, and how many were skipped (C13)';
const ONCE_A_LEVEL = 'a lease past half of its length is told once, and once more past four fifths';
const OLD_RUNS = 'the newest 100 that ran stay as well, behind any number of skips';
const OPEN_RUNS = 'a run without an end stays, and one whose token the lock has; fences go on where the row is lost';

export const WATCH_MUTATIONS: readonly Mutation[] = [
  {
    name: 'a lock without a run is told of at each look',
    edits: [
      { file: WATCH, from: ' && overdueAt !== overdueTold', to: ' && overdueTold !== 0' },
      { file: WATCH_SQL, from: 'overdue_at is not overdue_told and ', to: '' },
    ],
    caught: [ONCE, 'several that watch at once tell it once'],
  },
  {
    name: 'a lease near its end is told of at each look',
    edits: [
      { file: WATCH, from: 'return level > told && level > 0', to: 'return told >= 0 && level > 0' },
      { file: WATCH_SQL, from: 'near_end_told_at is null', to: ':now = :now' },
    ],
    caught: [ONCE_A_LEVEL, 'what a watch has told, a renewal or release tells again only at the higher level'],
  },
  {
    name: 'a skip counts as a run that got through',
    edits: [
      {
        file: 'domain/start-plan.ts',
        from: 'const moves = proceeds || lock.overdueAt === null;',
        to: 'const moves = proceeds || lock.name !== null;',
      },
    ],
    caught: ['a skip moves nothing: it is no run that got through'],
  },
  {
    name: 'a late release says nothing of its lease',
    edits: [{ file: 'stores/sqlite/release.ts', from: "outcome === 'released' && frees", to: 'outcome === null' }],
    caught: ['a renewal and a release that come so late tell it themselves, in their own words'],
  },
  {
    name: 'retention takes the newest starts',
    edits: [{ file: PRUNE_SQL, from: 'seq < :newest', to: 'seq < :newest + 1000000' }],
    caught: [OLD_RUNS],
  },
  {
    name: 'retention takes the newest starts that ran',
    edits: [{ file: PRUNE_SQL, from: 'seq < :that_ran', to: 'coalesce(:that_ran, 1)' }],
    caught: [OLD_RUNS],
  },
  {
    name: 'retention takes a run that has no end',
    edits: [{ file: PRUNE_SQL, from: ' and coalesce(ended_at, lost_at) is not null', to: '' }],
    caught: [OPEN_RUNS],
  },
  {
    name: 'retention takes the run that has the lock',
    edits: [{ file: PRUNE_SQL, from: 'locks.token = old.token', to: 'locks.token = 1' }],
    caught: [OPEN_RUNS],
  },
  {
    name: 'retention never rests',
    edits: [{ file: 'stores/sqlite/prune.ts', from: 'return doneAt !== null && ', to: 'return doneAt === 0 && ' }],
    caught: ['once through it rests, for everybody, and is due again after that'],
  },
];

export const POSTGRES_WATCH_MUTATIONS: readonly {
  readonly name: string;
  readonly edits: readonly { readonly name: string; readonly from: string; readonly to: string }[];
  readonly caught: readonly string[];
}[] = [
  {
    name: 'a lock without a run is told of at each look',
    edits: [
      { name: '_tell_overdue', from: ' or state.overdue_at is not distinct from state.overdue_told', to: '' },
      { name: 'watch', from: 'l.overdue_at is distinct from l.overdue_told and ', to: '' },
    ],
    caught: [ONCE],
  },
  {
    name: 'a lease near its end is told of at each look',
    edits: [
      {
        name: '_near_end_level',
        from: 'level > coalesce(leasehold._part_of_lease(state, state.near_end_told_at), 0)',
        to: 'level > 0',
      },
    ],
    caught: [ONCE_A_LEVEL],
  },
  {
    name: 'a skip counts as a run that got through',
    edits: [{ name: '_note_plan', from: 'proceeds or l.overdue_at is null', to: 'true' }],
    caught: ['a skip moves nothing: it is no run that got through'],
  },
  {
    name: 'a late release says nothing of its lease',
    edits: [
      {
        name: 'release',
        from: 'perform leasehold._tell_late_release(lock_name, release.token, held_until, now_at);',
        to: '',
      },
    ],
    caught: ['a renewal and a release that come so late tell it themselves, in their own words'],
  },
  {
    name: 'retention takes the newest starts',
    edits: [{ name: '_prune_runs', from: ' and d.seq < newest ', to: ' ' }],
    caught: [OLD_RUNS],
  },
  {
    name: 'retention takes a run that has no end',
    edits: [{ name: '_prune_runs', from: ' and coalesce(o.ended_at, o.lost_at) is not null', to: '' }],
    caught: [OPEN_RUNS],
  },
];
