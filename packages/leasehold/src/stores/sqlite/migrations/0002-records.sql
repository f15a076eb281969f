-- Identity: a record version is (pool, id, version), and arrived as `no`; a claim is its token, its repeat (pool, claim_id,
-- holder). Clock: the store's; every instant is in milliseconds since 1970. Crash: each call is one transaction.
-- Text compares by its bytes, as in PostgreSQL's collation "C": ids that only look alike are two.
-- Rows that were written by hand are judged: a record may name a claim that has no row. What no decision could work with
-- can't be stored.

-- What records change of version 1, which stores have: events know pools and records.
alter table events add column pool text;
alter table events add column record_id text;
create index events_by_pool on events (pool, seq) where pool is not null;
create index alerts_pending on alerts (dedup_key) where state = 'pending';

-- Made by the first enqueue, claim or change of the pool.
create table pools (
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

-- One row a version, for ever: a version that is done stays known. token is that of the claim that has it, or had it when
-- it was settled; null in the queue. begun_at and first_begun_at outlive requeues, is_begun is of the present claim.
-- unknown_at: nobody knows what became of it, and its claim no longer matters. waits: an older version of the id must be
-- settled first; has_newer: a newer one is known. verdict: what the present token said last. evidence_at, evidence_ref: a
-- former owner's `done` while another works it. Payloads are in a table of their own, since an update writes its row anew.
create table records (
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
  updated_at integer not null,
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

-- The queue in its order, what was deferred after it by its instant. One index, so that counting it reads no row.
create index records_queue on records (pool, not_before, no) where state = 'queued' and waits = 0;
-- What a claim has, what waits for its provider's answer, what waits for a person.
create index records_of_claim on records (pool, token, is_begun) where state = 'claimed';
create index records_flagged on records (pool, unknown_at) where state = 'claimed' and unknown_at is not null;
create index records_to_ask on records (pool, asked_at) where state = 'review' and ask_since is not null;
create index records_attention on records (pool, state, id) where state in ('review', 'failed');
-- Versions of one id that are under way, beside the empty one; and those that wait for another.
create index records_versions on records (pool, id)
where version <> '' and state in ('queued', 'claimed', 'review');
create index records_waiting on records (pool, id, no) where state = 'queued' and waits = 1;
create index records_cancelled on records (pool) where state = 'cancelled';

-- JSON text; a record without a payload has no row.
create table payloads (
  no integer not null constraint payloads_pkey primary key
    constraint payloads_record references records (no) on delete cascade,
  payload text not null
) strict;

-- One lease over the records that one call gave out. It is over when no record with its token is claimed; settled_at is
-- when that was noticed, by whoever settled what had expired. Verdicts never write it.
create table claims (
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

create index claims_open on claims (pool, lease_until) where settled_at is null;
-- A lease that ends further away than its own length was reckoned by a clock that was ahead.
create index claims_ahead on claims (pool, lease_until - lease_ms) where settled_at is null;
create index claims_settled on claims (settled_at) where settled_at is not null;

-- Who had a record and has it no more, and what it said: a late `done` of one is evidence, not a stranger's word. What it
-- said last is told once. So an owner that names a second reference after its own `done` has a row too.
create table former_owners (
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

-- Retention: those that never began have nothing to tell.
create index former_owners_idle on former_owners (until_at) where was_begun = 0;
