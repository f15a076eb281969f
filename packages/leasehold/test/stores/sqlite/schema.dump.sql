-- migration 1 lock, breaking 1
CREATE TABLE alerts (
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
CREATE TABLE clock (
  one integer not null constraint clock_pkey primary key constraint clock_has_one_row check (one = 1),
  boot_id text not null,
  wall_base integer not null,
  boot_base integer not null
) strict;
CREATE TABLE events (
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
CREATE TABLE locks (
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
CREATE TABLE migrations (
  version integer not null constraint migrations_pkey primary key,
  name text not null,
  breaking integer not null,
  applied_at integer not null
) strict;
CREATE TABLE runs (
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
CREATE TABLE slots (
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
CREATE TABLE upkeep (
  duty text not null constraint upkeep_pkey primary key,
  done_at integer,
  after_lock text not null
) strict, without rowid;
CREATE INDEX alerts_dead on alerts (event_id) where state = 'dead';
CREATE INDEX alerts_due on alerts (next_attempt_at, event_id) where state = 'pending';
CREATE INDEX events_by_kind on events (kind, seq);
CREATE INDEX events_by_lock on events (lock, seq);
CREATE INDEX locks_overdue on locks (overdue_at) where overdue_at is not overdue_told;
CREATE INDEX runs_by_lock on runs (lock, seq);
CREATE INDEX runs_by_run_id on runs (run_id, seq);
CREATE INDEX runs_that_ran on runs (lock, seq) where fence is not null;
