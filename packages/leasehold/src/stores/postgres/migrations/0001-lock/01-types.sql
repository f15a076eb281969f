-- Answers. Composite types, so that an answer's column may have the name of an argument (run_id), and so
-- that later versions can add attributes at the end.

create type leasehold.acquire_answer as (
  outcome text,
  proceed boolean,
  lock text,
  run_id text,
  slot_at timestamptz,
  skips_in_row integer,
  missed timestamptz[],
  message text,
  reason text,
  token text,
  fence bigint,
  lease_until timestamptz,
  remaining_ms bigint,
  current_holder text,
  current_run_id text,
  current_since timestamptz,
  current_age_ms bigint,
  current_remaining_ms bigint,
  previous_holder text,
  previous_run_id text,
  previous_since timestamptz,
  previous_age_ms bigint,
  previous_renewed_at timestamptz,
  previous_progress text,
  previous_probe text,
  earlier_run_id text,
  earlier_holder text,
  earlier_started_at timestamptz,
  earlier_ended_at timestamptz,
  current_holder_info jsonb
);

create type leasehold.renew_answer as (
  outcome text,
  lock text,
  run_id text,
  reason text,
  lease_until timestamptz,
  remaining_ms bigint,
  message text
);

create type leasehold.release_answer as (outcome text, lock text, run_id text, message text);

create type leasehold.force_release_answer as (
  outcome text,
  lock text,
  run_id text,
  holder text,
  free_at timestamptz,
  message text
);

create type leasehold.lock_marks as (last_success_slot_at timestamptz, progress text);

create type leasehold.pause_answer as (outcome text, lock text, message text);

create type leasehold.holder_answer as (
  lock text,
  run_id text,
  fence bigint,
  lease_until timestamptz,
  remaining_ms bigint
);

create type leasehold.lock_status as (
  lock text,
  state text,
  holder text,
  holder_info jsonb,
  since timestamptz,
  age_ms bigint,
  usual_ms bigint,
  lease_until timestamptz,
  remaining_ms bigint,
  skips_in_row integer,
  last_success_at timestamptz,
  next_slot_at timestamptz,
  paused boolean,
  schedule text,
  timezone text
);

create type leasehold.run_row as (
  run_id text,
  lock text,
  outcome text,
  reason text,
  slot_at timestamptz,
  holder text,
  holder_info jsonb,
  trigger text,
  fence bigint,
  started_at timestamptz,
  ended_at timestamptz,
  status text,
  lease_ms bigint,
  renewed_at timestamptz,
  age_ms bigint,
  previous_run_id text,
  message text
);

create type leasehold.event_row as (
  event_id bigint,
  at timestamptz,
  kind text,
  severity text,
  lock text,
  run_id text,
  holder text,
  message text,
  data jsonb
);
