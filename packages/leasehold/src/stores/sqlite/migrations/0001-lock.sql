-- Identity: a lock is its name; an acquisition is its token and its fence; a start is (lock, run_id, holder).
-- Clock: the store's (table clock, and store-clock.ts). Every instant is in milliseconds since 1970, and was
-- read after the transaction had the write lock.
-- Crash: each call is one transaction. What did not commit did not happen; a caller without an answer
-- repeats the call (acquire with the same run id and holder, renew and release with the same token).
-- The columns of locks are nullable where a hand-written row may lack them: decisions judge them. What no
-- decision could work with (an instant that is no date, a fence beyond 2^53) can't be stored.

-- One row: how this boot's clock continues the store's time. Store time = wall_base + boot time - boot_base.
create table clock (
  one integer not null constraint clock_pkey primary key constraint clock_has_one_row check (one = 1),
  boot_id text not null,
  wall_base integer not null,
  boot_base integer not null
) strict;

-- One row a lock. token is null when it is free; holder, run_id and times are those of the latest lease.
-- schedule, timezone and next_slot_at are those of the latest planned start; from overdue_at on it is told that no run
-- got through. drain_until is set by a force-release: from then on the lock counts as free although its holder has not
-- given it back.
create table locks (
  name text not null constraint locks_pkey primary key,
  fence integer not null default 0,
  token text,
  run_id text,
  holder text,
  holder_info text,
  since integer,
  lease_ms integer,
  lease_until integer,
  renewed_at integer,
  progress text,
  grace_ms integer not null default 0,
  free_at integer,
  drain_until integer,
  skips_in_row integer not null default 0,
  last_success_at integer,
  last_success_slot_at integer,
  paused_at integer,
  schedule text,
  timezone text,
  next_slot_at integer,
  overdue_at integer,
  overdue_after_ms integer,
  overdue_told integer,
  near_end_told_at integer,
  constraint locks_counts_are_exact check (
    fence between 0 and 9007199254740991 and skips_in_row between 0 and 9007199254740991
  ),
  constraint locks_durations_are_exact check (
    coalesce(lease_ms, 0) between 0 and 9007199254740991 and grace_ms between 0 and 9007199254740991
    and coalesce(overdue_after_ms, 0) between 0 and 9007199254740991
  ),
  constraint locks_instants_are_dates check (
    coalesce(since, 0) between -8640000000000000 and 8640000000000000
    and coalesce(lease_until, 0) between -8640000000000000 and 8640000000000000
    and coalesce(renewed_at, 0) between -8640000000000000 and 8640000000000000
    and coalesce(free_at, 0) between -8640000000000000 and 8640000000000000
    and coalesce(drain_until, 0) between -8640000000000000 and 8640000000000000
    and coalesce(last_success_at, 0) between -8640000000000000 and 8640000000000000
    and coalesce(last_success_slot_at, 0) between -8640000000000000 and 8640000000000000
    and coalesce(paused_at, 0) between -8640000000000000 and 8640000000000000
    and coalesce(next_slot_at, 0) between -8640000000000000 and 8640000000000000
    and coalesce(overdue_at, 0) between -8640000000000000 and 8640000000000000
    and coalesce(overdue_told, 0) between -8640000000000000 and 8640000000000000
    and coalesce(near_end_told_at, 0) between -8640000000000000 and 8640000000000000
  )
) strict, without rowid;

-- One row a start, whatever came of it. told: there is an event of its skip; counted: it is in skips_in_row;
-- loss_told: there is an event of its lost lease.
create table runs (
  seq integer not null constraint runs_pkey primary key,
  run_id text not null,
  lock text not null,
  holder text not null,
  holder_info text,
  trigger text,
  slot_at integer,
  again integer not null default 0,
  outcome text not null,
  reason text,
  bypass_reason text,
  fence integer,
  token text,
  started_at integer not null,
  ended_at integer,
  status text,
  lease_ms integer,
  renewed_at integer,
  grace_ms integer,
  age_ms integer,
  previous_run_id text,
  previous text,
  told integer not null default 0,
  counted integer not null default 0,
  lost_at integer,
  loss_told integer not null default 0,
  message text not null,
  constraint runs_start_key unique (lock, run_id, holder),
  constraint runs_token_key unique (token),
  constraint runs_outcome_known check (outcome in ('acquired', 'reclaimed', 'skipped', 'already_ran', 'bypassed')),
  constraint runs_status_known check (status in ('success', 'failure')),
  constraint runs_instants_are_dates check (
    started_at between -8640000000000000 and 8640000000000000
    and coalesce(ended_at, 0) between -8640000000000000 and 8640000000000000
    and coalesce(slot_at, 0) between -8640000000000000 and 8640000000000000
    and coalesce(renewed_at, 0) between -8640000000000000 and 8640000000000000
    and coalesce(lost_at, 0) between -8640000000000000 and 8640000000000000
  )
) strict;

create index runs_by_lock on runs (lock, seq);
create index runs_that_ran on runs (lock, seq) where fence is not null;
create index runs_by_run_id on runs (run_id, seq);

-- One row a slot, with its latest run; is_done once a run of it ended with success. Kept apart from runs, so that
-- retention can take those; the newest 1,000 of a lock stay.
create table slots (
  lock text not null,
  slot_at integer not null,
  is_done integer not null default 0,
  run_id text,
  holder text,
  started_at integer,
  ended_at integer,
  constraint slots_pkey primary key (lock, slot_at),
  constraint slots_instants_are_dates check (
    slot_at between -8640000000000000 and 8640000000000000
    and coalesce(started_at, 0) between -8640000000000000 and 8640000000000000
    and coalesce(ended_at, 0) between -8640000000000000 and 8640000000000000
  )
) strict, without rowid;

-- Append-only: skips, reclaims, losses, refusals, forced releases. Autoincrement: an id is never used again,
-- also where the newest rows are gone, so that "all after this id" stays a safe question.
create table events (
  seq integer not null constraint events_pkey primary key autoincrement,
  at integer not null,
  kind text not null,
  severity text not null,
  lock text,
  run_id text,
  holder text,
  message text not null,
  data text,
  constraint events_severity_known check (severity in ('info', 'warning', 'critical')),
  constraint events_at_is_a_date check (at between -8640000000000000 and 8640000000000000)
) strict;

create index events_by_lock on events (lock, seq);
create index events_by_kind on events (kind, seq);

-- Watching: the locks whose overdue_at is still to be told.
create index locks_overdue on locks (overdue_at) where overdue_at is not overdue_told;

-- One row a duty: when it was last done with, null while it is under way, and how far it has come.
create table upkeep (
  duty text not null constraint upkeep_pkey primary key,
  done_at integer,
  after_lock text not null
) strict, without rowid;

-- The outbox: one row an event that alerts, written with it. The id is random, because two stores may send to one
-- channel. taken_by is the deliverer's token, until taken_until. A deleted event takes its alert along.
create table alerts (
  event_id integer not null constraint alerts_pkey primary key
    constraint alerts_event references events (seq) on delete cascade,
  alert_id text not null default (lower(hex(randomblob(16)))) constraint alerts_id_key unique,
  dedup_key text not null,
  state text not null default 'pending',
  attempts integer not null default 0,
  next_attempt_at integer not null,
  taken_by text,
  taken_until integer,
  delivered_to text not null default '[]',
  last_error text,
  settled_at integer,
  constraint alerts_state_known check (state in ('pending', 'delivered', 'dead')),
  constraint alerts_delivered_to_is_a_list check (json_type(delivered_to) is 'array')
) strict;

create index alerts_due on alerts (next_attempt_at, event_id) where state = 'pending';
create index alerts_dead on alerts (event_id) where state = 'dead';
