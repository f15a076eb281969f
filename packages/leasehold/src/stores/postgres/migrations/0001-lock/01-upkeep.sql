-- What watching and retention keep; see 10-watch.sql and 11-prune.sql.

comment on column leasehold.locks.schedule is
  'The schedule that the latest planned start named; next_slot_at is the slot after its own.';
comment on column leasehold.locks.overdue_at is
  'From here on it is told that no run got through: overdue_after_ms, three intervals, after the slot of the latest one that did.';
comment on column leasehold.locks.overdue_told is 'The overdue_at that has been told.';
comment on column leasehold.locks.near_end_told_at is 'When it was last told that the lease nears its end.';

create index locks_overdue on leasehold.locks (overdue_at) where overdue_at is distinct from overdue_told;

-- One row a duty: when it was last done with, null while it is under way, and how far it has come.
create table leasehold.upkeep (
  duty text collate "C" not null constraint upkeep_pkey primary key,
  done_at timestamptz,
  after_lock text collate "C" not null
);

create type leasehold.start_plan as (
  schedule text,
  timezone text,
  next_slot_at timestamptz,
  overdue_at timestamptz
);

create type leasehold.watch_answer as (raised integer, is_complete boolean);

create type leasehold.prune_answer as (is_due boolean, runs integer, events integer, is_complete boolean);
