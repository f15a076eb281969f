-- Identity: a lock is its name; an acquisition is its token and its fence; a start is (lock, run_id, holder).
-- Clock: this server's. Every instant below was read with clock_timestamp() after the lock's row was locked.
-- Crash: each function call is one transaction. What did not commit did not happen; a caller without an
-- answer repeats the call (acquire with the same run_id and holder, renew and release with the same token).
-- The columns of locks are nullable where a hand-written row may lack them: decisions judge them.

create table leasehold.locks (
  name text collate "C" not null constraint locks_pkey primary key,
  fence bigint not null default 0,
  token text,
  run_id text,
  holder text,
  holder_info jsonb,
  since timestamptz,
  lease_ms bigint,
  lease_until timestamptz,
  renewed_at timestamptz,
  progress text,
  grace_ms bigint not null default 0,
  free_at timestamptz,
  drain_until timestamptz,
  skips_in_row integer not null default 0,
  last_success_at timestamptz,
  last_success_slot_at timestamptz,
  paused_at timestamptz,
  schedule text,
  timezone text,
  next_slot_at timestamptz,
  overdue_at timestamptz,
  overdue_after_ms bigint,
  overdue_told timestamptz,
  near_end_told_at timestamptz,
  -- Numbers that JSON has, durations of at most 1,000 years, and instants of the years 1 to 9999: what no decision and
  -- no client could work with can't be stored.
  constraint locks_counts_are_exact check (fence between 0 and 9007199254740991 and skips_in_row >= 0),
  constraint locks_durations_are_bounded check (
    coalesce(lease_ms, 0) between 0 and 31536000000000 and grace_ms between 0 and 31536000000000
    and coalesce(overdue_after_ms, 0) between 0 and 31536000000000
  ),
  constraint locks_instants_are_dates check (
    least(since, lease_until, renewed_at, free_at, drain_until, last_success_at, last_success_slot_at, paused_at,
      next_slot_at, overdue_at, overdue_told, near_end_told_at)
      >= '0001-01-01 00:00:00+00'
    and greatest(since, lease_until, renewed_at, free_at, drain_until, last_success_at, last_success_slot_at, paused_at,
      next_slot_at, overdue_at, overdue_told, near_end_told_at)
      < '10000-01-01 00:00:00+00'
  )
) with (fillfactor = 50);

comment on table leasehold.locks is
  'One row a lock. token is null when it is free; holder, run_id and times are those of the latest lease.';
comment on column leasehold.locks.drain_until is
  'Set by a force-release: from then on the lock counts as free although its holder has not given it back.';

create table leasehold.runs (
  seq bigint generated always as identity constraint runs_pkey primary key,
  run_id text collate "C" not null,
  lock text collate "C" not null,
  holder text collate "C" not null,
  holder_info jsonb,
  trigger text,
  slot_at timestamptz,
  again boolean not null default false,
  outcome text not null,
  reason text,
  fence bigint,
  token text collate "C",
  started_at timestamptz not null,
  ended_at timestamptz,
  status text,
  lease_ms bigint,
  renewed_at timestamptz,
  grace_ms bigint,
  age_ms bigint,
  previous_run_id text,
  previous jsonb,
  told boolean not null default false,
  counted boolean not null default false,
  lost_at timestamptz,
  loss_told boolean not null default false,
  message text not null,
  constraint runs_start_key unique (lock, run_id, holder),
  constraint runs_outcome_known check (outcome in ('acquired', 'reclaimed', 'skipped', 'already_ran', 'bypassed')),
  constraint runs_status_known check (status in ('success', 'failure')),
  constraint runs_instants_are_dates check (
    least(started_at, ended_at, slot_at, renewed_at, lost_at) >= '0001-01-01 00:00:00+00'
    and greatest(started_at, ended_at, slot_at, renewed_at, lost_at) < '10000-01-01 00:00:00+00'
  )
) with (fillfactor = 80);

create unique index runs_token_key on leasehold.runs (token) where token is not null;
create index runs_by_lock on leasehold.runs (lock, seq);
create index runs_that_ran on leasehold.runs (lock, seq) where fence is not null;

comment on table leasehold.runs is
  'One row a start, whatever came of it. told: there is an event of its skip; counted: it is in skips_in_row; loss_told: there is an event of its lost lease.';

-- What became of the slots that starts have named. Kept apart from runs, so that retention can take those; the
-- newest 1,000 of a lock stay.
create table leasehold.slots (
  lock text collate "C" not null,
  slot_at timestamptz not null,
  is_done boolean not null default false,
  run_id text,
  holder text,
  started_at timestamptz,
  ended_at timestamptz,
  constraint slots_pkey primary key (lock, slot_at),
  constraint slots_instants_are_dates check (
    least(slot_at, started_at, ended_at) >= '0001-01-01 00:00:00+00'
    and greatest(slot_at, started_at, ended_at) < '10000-01-01 00:00:00+00'
  )
);

comment on table leasehold.slots is 'One row a slot, with its latest run; is_done once a run of it ended with success.';

create table leasehold.events (
  seq bigint generated always as identity constraint events_pkey primary key,
  at timestamptz not null,
  kind text collate "C" not null,
  severity text not null,
  lock text collate "C",
  run_id text,
  holder text,
  message text not null,
  data jsonb,
  constraint events_severity_known check (severity in ('info', 'warning', 'critical')),
  constraint events_at_is_a_date check (at >= '0001-01-01 00:00:00+00' and at < '10000-01-01 00:00:00+00')
);

create index events_by_lock on leasehold.events (lock, seq);
create index events_by_kind on leasehold.events (kind, seq);

comment on table leasehold.events is 'Append-only: skips, reclaims, losses, refusals, forced releases.';
