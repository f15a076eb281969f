-- migration 1 lock, breaking 1
-- migration 2 records, breaking 1
-- migration 3 room, breaking 0
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
CREATE TABLE claims (
  token text not null constraint claims_pkey primary key,
  claim_id text not null,
  pool text not null,
  holder text not null,
  holder_info text,
  lock text,
  explicit_begin integer not null default 0,
  lease_ms integer not null,
  lease_until integer not null,
  claimed_at integer not null,
  renewed_at integer,
  holder_ended_at integer,
  is_shared integer not null default 0,
  settled_at integer,
  constraint claims_repeat_key unique (pool, claim_id, holder),
  constraint claims_lease_is_exact check (lease_ms between 0 and 9007199254740991),
  constraint claims_instants_are_dates check (
    lease_until between -8640000000000000 and 8640000000000000
    and claimed_at between -8640000000000000 and 8640000000000000
    and coalesce(renewed_at, 0) between -8640000000000000 and 8640000000000000
    and coalesce(holder_ended_at, 0) between -8640000000000000 and 8640000000000000
    and coalesce(settled_at, 0) between -8640000000000000 and 8640000000000000
  )
) strict, without rowid;
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
  data text, pool text, record_id text,
  constraint events_severity_known check (severity in ('info', 'warning', 'critical')),
  constraint events_at_is_a_date check (at between -8640000000000000 and 8640000000000000)
) strict;
CREATE TABLE former_owners (
  pool text not null,
  id text not null,
  version text not null,
  token text not null,
  claim_id text,
  holder text,
  attempt integer not null,
  was_begun integer not null,
  verdict text,
  provider_ref text,
  refused text,
  until_at integer not null,
  constraint former_owners_pkey primary key (pool, id, version, token),
  constraint former_owners_verdict_known check (verdict in ('done', 'failed', 'failed_permanent', 'unknown', 'review')),
  constraint former_owners_until_is_a_date check (until_at between -8640000000000000 and 8640000000000000)
) strict, without rowid;
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
CREATE TABLE payloads (
  no integer not null constraint payloads_pkey primary key
    constraint payloads_record references records (no) on delete cascade,
  payload text not null
) strict;
CREATE TABLE pools (
  pool text not null constraint pools_pkey primary key,
  redo text not null default 'ask' constraint pools_redo_known check (redo in ('ask', 'safe')),
  redo_window_ms integer constraint pools_redo_window_in_range check (redo_window_ms between 1 and 9007199254740991),
  attempts integer not null default 5 constraint pools_attempts_in_range check (attempts between 1 and 100),
  lease_ms integer not null default 600000 constraint pools_lease_in_range check (lease_ms between 1000 and 2678400000),
  claim_limit integer not null default 50 constraint pools_limit_in_range check (claim_limit between 1 and 10000),
  call_timeout_ms integer not null default 0
    constraint pools_call_timeout_in_range check (call_timeout_ms between 0 and 3600000),
  verifier text constraint pools_verifier_is_an_object check (
    verifier is null or (json_valid(verifier) and json_type(verifier) = 'object')
  ),
  paused_at integer,
  created_at integer not null,
  constraint pools_instants_are_dates check (
    coalesce(paused_at, 0) between -8640000000000000 and 8640000000000000
    and created_at between -8640000000000000 and 8640000000000000
  )
) strict, without rowid;
CREATE TABLE records (
  no integer not null constraint records_pkey primary key,
  pool text not null,
  id text not null,
  version text not null default '',
  state text not null default 'queued',
  effect_key text not null,
  attempt integer not null default 0,
  attempts_forgiven integer not null default 0,
  idle_requeues integer not null default 0,
  token text,
  claimed_at integer,
  is_begun integer not null default 0,
  begun_at integer,
  first_begun_at integer,
  unknown_at integer,
  asked_at integer,
  ask_since integer,
  send_before integer,
  not_before integer,
  waits integer not null default 0,
  has_newer integer not null default 0,
  provider_ref text,
  evidence_ref text,
  evidence_at integer,
  verdict text,
  error text,
  created_at integer not null,
  updated_at integer not null, room blob,
  constraint records_key unique (pool, id, version),
  constraint records_state_known check (state in ('queued', 'claimed', 'done', 'failed', 'review', 'cancelled')),
  constraint records_verdict_known check (verdict in ('done', 'failed', 'failed_permanent', 'unknown', 'review')),
  constraint records_counts_are_exact check (
    attempt between 0 and 9007199254740991 and attempts_forgiven between 0 and 9007199254740991
    and idle_requeues between 0 and 9007199254740991
  ),
  constraint records_instants_are_dates check (
    coalesce(claimed_at, 0) between -8640000000000000 and 8640000000000000
    and coalesce(begun_at, 0) between -8640000000000000 and 8640000000000000
    and coalesce(first_begun_at, 0) between -8640000000000000 and 8640000000000000
    and coalesce(unknown_at, 0) between -8640000000000000 and 8640000000000000
    and coalesce(asked_at, 0) between -8640000000000000 and 8640000000000000
    and coalesce(ask_since, 0) between -8640000000000000 and 8640000000000000
    and coalesce(send_before, 0) between -8640000000000000 and 8640000000000000
    and coalesce(not_before, 0) between -8640000000000000 and 8640000000000000
    and coalesce(evidence_at, 0) between -8640000000000000 and 8640000000000000
    and created_at between -8640000000000000 and 8640000000000000
    and updated_at between -8640000000000000 and 8640000000000000
  )
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
CREATE INDEX alerts_pending on alerts (dedup_key) where state = 'pending';
CREATE INDEX claims_ahead on claims (pool, lease_until - lease_ms) where settled_at is null;
CREATE INDEX claims_open on claims (pool, lease_until) where settled_at is null;
CREATE INDEX claims_settled on claims (settled_at) where settled_at is not null;
CREATE INDEX events_by_kind on events (kind, seq);
CREATE INDEX events_by_lock on events (lock, seq);
CREATE INDEX events_by_pool on events (pool, seq) where pool is not null;
CREATE INDEX former_owners_idle on former_owners (until_at) where was_begun = 0;
CREATE INDEX locks_overdue on locks (overdue_at) where overdue_at is not overdue_told;
CREATE INDEX records_attention on records (pool, state, id) where state in ('review', 'failed');
CREATE INDEX records_cancelled on records (pool) where state = 'cancelled';
CREATE INDEX records_flagged on records (pool, unknown_at) where state = 'claimed' and unknown_at is not null;
CREATE INDEX records_of_claim on records (pool, substr(token, 1, 8), is_begun) where state = 'claimed';
CREATE INDEX records_queue on records (pool, not_before, no) where state = 'queued' and waits = 0;
CREATE INDEX records_to_ask on records (pool, asked_at) where state = 'review' and ask_since is not null;
CREATE INDEX records_versions on records (pool, id)
where version <> '' and state in ('queued', 'claimed', 'review');
CREATE INDEX records_waiting on records (pool, id, no) where state = 'queued' and waits = 1;
CREATE INDEX runs_by_lock on runs (lock, seq);
CREATE INDEX runs_by_run_id on runs (run_id, seq);
CREATE INDEX runs_that_ran on runs (lock, seq) where fence is not null;
