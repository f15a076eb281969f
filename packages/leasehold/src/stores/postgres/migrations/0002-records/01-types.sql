-- Answers. Composite types, so that an answer's column may have the name of an argument (pool, id, token), and so
-- that later versions can add attributes at the end.

create type leasehold.enqueue_answer as (pool text, added integer, known integer, superseded integer);

-- A record that a claim owns, one that it was refused, and the claim as a whole.
create type leasehold.owned_record as (id text, version text, effect_key text, attempt integer, payload text);

create type leasehold.refused_record as (id text, version text, why text, claimed_by text, since timestamptz);

create type leasehold.claim_answer as (
  outcome text,
  pool text,
  claim_id text,
  token text,
  lease_until timestamptz,
  remaining_ms bigint,
  requeued integer,
  sent_to_review integer,
  cancelled integer,
  message text,
  owned leasehold.owned_record[],
  refused leasehold.refused_record[],
  is_repeat boolean
);

-- The same, one row a record.
create type leasehold.claim_row as (
  claim_id text,
  token text,
  lease_until timestamptz,
  remaining_ms bigint,
  id text,
  version text,
  owned boolean,
  why text,
  claimed_by text,
  since timestamptz,
  effect_key text,
  attempt integer,
  payload json
);

create type leasehold.begin_answer as (
  outcome text,
  pool text,
  id text,
  version text,
  attempt integer,
  begun_at timestamptz,
  remaining_ms bigint,
  reason text,
  message text
);

create type leasehold.verdict_answer as (
  outcome text,
  pool text,
  id text,
  version text,
  state text,
  not_before timestamptz,
  reason text,
  message text
);

-- A verdict (ordinal from 1) or a begin (the same, is_begin) of one call.
create type leasehold.work_row as (
  is_begin boolean,
  ordinal integer,
  outcome text,
  id text,
  version text,
  state text,
  not_before timestamptz,
  attempt integer,
  begun_at timestamptz,
  remaining_ms bigint,
  reason text,
  message text
);

create type leasehold.extend_answer as (
  outcome text,
  pool text,
  claim_id text,
  lease_until timestamptz,
  remaining_ms bigint,
  reason text,
  message text
);

create type leasehold.return_answer as (
  outcome text,
  pool text,
  claim_id text,
  returned_ids text[],
  returned_versions text[],
  kept_ids text[],
  kept_versions text[],
  message text
);

create type leasehold.sweep_answer as (
  pool text,
  requeued integer,
  sent_to_review integer,
  cancelled integer,
  to_ask bigint,
  is_complete boolean
);

create type leasehold.asked_record as (
  pool text,
  id text,
  version text,
  effect_key text,
  payload text,
  provider_ref text,
  claim_id text,
  holder text,
  holder_info jsonb,
  attempt integer,
  begun_at timestamptz,
  first_begun_at timestamptz,
  lease_until timestamptz,
  unknown_at timestamptz,
  send_before timestamptz,
  holder_ended_at timestamptz,
  asked_at timestamptz,
  ask_since timestamptz,
  is_in_review boolean
);

create type leasehold.lookup_outcome as (outcome text, state text);

create type leasehold.review_answer as (
  outcome text,
  pool text,
  id text,
  version text,
  state text,
  why text,
  message text
);

create type leasehold.pool_answer as (
  outcome text,
  pool text,
  redo text,
  redo_window_ms bigint,
  attempts integer,
  lease_ms bigint,
  claim_limit integer,
  call_timeout_ms bigint,
  verifier text,
  paused boolean,
  message text
);

create type leasehold.pool_status as (
  pool text,
  redo text,
  redo_window_ms bigint,
  attempts integer,
  lease_ms bigint,
  claim_limit integer,
  call_timeout_ms bigint,
  verifier text,
  paused boolean,
  queued bigint,
  deferred bigint,
  claimed bigint,
  to_ask bigint,
  done bigint,
  failed bigint,
  review bigint,
  cancelled bigint,
  oldest_claim_at timestamptz,
  claims jsonb
);

create type leasehold.record_row as (
  pool text,
  id text,
  version text,
  state text,
  effect_key text,
  attempt integer,
  claimed_by text,
  claimed_at timestamptz,
  lease_until timestamptz,
  begun_at timestamptz,
  provider_ref text,
  error text,
  not_before timestamptz,
  updated_at timestamptz,
  evidence_ref text,
  evidence_at timestamptz
);

create type leasehold.work_times_answer as (
  pool text,
  records bigint,
  slowest_ms bigint,
  p50_ms bigint,
  p95_ms bigint,
  each_p95_ms bigint
);

-- One verdict as it was said.
create type leasehold._verdict as (
  id text, token text, verdict text, provider_ref text, error text, is_permanent boolean
);

-- places: the ordinal, from 1, of a verdict, or less than zero that of a begin; versions and attempts go with them, and of
-- begins what is left of the lease. others: what went one by one, without a message where it was ordinary.
create type leasehold.work_answer as (
  places integer[],
  versions text[],
  attempts integer[],
  remaining_ms bigint[],
  begun_at timestamptz,
  others leasehold.work_row[]
);
