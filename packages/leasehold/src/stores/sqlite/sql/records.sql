-- One record at a time: found by its key or its token, written whole. What works many at once is in record-offers.sql.

-- The version that carries the token. `+` keeps the index of a claim's records out: one claim may have ten thousand.
-- name: record_to_work
select no, pool, id, version, state, effect_key, attempt, attempts_forgiven, idle_requeues, token, claimed_at, is_begun,
  begun_at, first_begun_at, unknown_at, asked_at, ask_since, send_before, not_before, waits, has_newer, provider_ref,
  evidence_ref, evidence_at, verdict, error, updated_at
from records where pool = :pool and id = :id and +token = :token and +state = 'claimed' limit 1;

-- name: record_of_owner
select no, pool, id, version, state, effect_key, attempt, attempts_forgiven, idle_requeues, token, claimed_at, is_begun,
  begun_at, first_begun_at, unknown_at, asked_at, ask_since, send_before, not_before, waits, has_newer, provider_ref,
  evidence_ref, evidence_at, verdict, error, updated_at
from records where pool = :pool and id = :id and +token = :token
order by no desc limit 1;

-- name: record_of_former_owner
select r.no, r.pool, r.id, r.version, r.state, r.effect_key, r.attempt, r.attempts_forgiven, r.idle_requeues, r.token, r.claimed_at, r.is_begun,
  r.begun_at, r.first_begun_at, r.unknown_at, r.asked_at, r.ask_since, r.send_before, r.not_before, r.waits, r.has_newer, r.provider_ref,
  r.evidence_ref, r.evidence_at, r.verdict, r.error, r.updated_at,
  f.verdict as former_verdict, f.provider_ref as former_ref, f.holder as former_holder, f.claim_id as former_claim_id
from former_owners f join records r on r.pool = f.pool and r.id = f.id and r.version = f.version
where f.pool = :pool and f.id = :id and f.token = :token
order by f.until_at desc, r.no desc limit 1;

-- name: newest_version
select no, pool, id, version, state, effect_key, attempt, attempts_forgiven, idle_requeues, token, claimed_at, is_begun,
  begun_at, first_begun_at, unknown_at, asked_at, ask_since, send_before, not_before, waits, has_newer, provider_ref,
  evidence_ref, evidence_at, verdict, error, updated_at
from records where pool = :pool and id = :id order by no desc limit 1;

-- name: record_by_key
select no, pool, id, version, state, effect_key, attempt, attempts_forgiven, idle_requeues, token, claimed_at, is_begun,
  begun_at, first_begun_at, unknown_at, asked_at, ask_since, send_before, not_before, waits, has_newer, provider_ref,
  evidence_ref, evidence_at, verdict, error, updated_at
from records where pool = :pool and id = :id and version = :version;

-- name: record_by_no
select no, pool, id, version, state, effect_key, attempt, attempts_forgiven, idle_requeues, token, claimed_at, is_begun,
  begun_at, first_begun_at, unknown_at, asked_at, ask_since, send_before, not_before, waits, has_newer, provider_ref,
  evidence_ref, evidence_at, verdict, error, updated_at
from records where no = :no;

-- name: insert_record
insert into records (pool, id, version, effect_key, not_before, waits, created_at, updated_at, room)
values (:pool, :id, :version, :effect_key, :not_before, :waits, :now, :now, zeroblob(80))
returning no;

-- name: insert_payload
insert into payloads (no, payload) values (:no, :payload);

-- name: write_record
update records set state = :state, attempt = :attempt, attempts_forgiven = :attempts_forgiven,
  idle_requeues = :idle_requeues, token = :token, claimed_at = :claimed_at, is_begun = :is_begun, begun_at = :begun_at,
  first_begun_at = :first_begun_at, unknown_at = :unknown_at, asked_at = :asked_at, ask_since = :ask_since,
  send_before = :send_before, not_before = :not_before, waits = :waits, has_newer = :has_newer,
  provider_ref = :provider_ref, evidence_ref = :evidence_ref, evidence_at = :evidence_at, verdict = :verdict,
  error = :error, updated_at = :updated_at
where no = :no;

-- name: fill_provider_ref
update records set provider_ref = :provider_ref where no = :no and provider_ref is null;

-- name: mark_has_newer
update records set has_newer = 1 where no = :no;

-- An owner again that was one before (a record that was given back and taken in one claim) has its latest word.
-- name: write_former_owner
insert into former_owners (pool, id, version, token, claim_id, holder, attempt, was_begun, verdict, until_at)
values (:pool, :id, :version, :token, :claim_id, :holder, :attempt, :was_begun, :verdict, :now)
on conflict (pool, id, version, token) do update set
  attempt = excluded.attempt, was_begun = max(was_begun, excluded.was_begun),
  verdict = coalesce(excluded.verdict, verdict), until_at = excluded.until_at;

-- name: note_former_done
update former_owners set verdict = 'done', provider_ref = coalesce(:provider_ref, provider_ref)
where pool = :pool and id = :id and version = :version and token = :token;

-- What an owner says of a record that was settled without a word of it; a row where that is news.
-- name: note_refused
update former_owners set refused = :refused
where pool = :pool and id = :id and version = :version and token = :token and refused is not :refused
returning 1 as is_news;

-- What an owner said after its own done.
-- name: second_done
select verdict as former_verdict, provider_ref as former_ref, holder as former_holder, claim_id as former_claim_id
from former_owners where pool = :pool and id = :id and version = :version and token = :token;
