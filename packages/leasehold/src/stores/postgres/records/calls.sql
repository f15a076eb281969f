-- One statement a call, one round trip, never prepared by name, as ../calls.sql. Answers with many rows come as json: it
-- is written once, where jsonb would be built first. What is called most is no table to select from: that would be planned
-- and kept as one.

-- name: enqueue_records
select to_jsonb(answer) as answer from leasehold.enqueue_records(
  pool => $1, ids => $2, versions => $3, payloads => $4, not_befores => $5, namespace => $6) answer;

-- name: claim_records
select row_to_json(leasehold.claim_records(
  pool => $1, holder => $2, ids => $3, versions => $4, payloads => $5, not_befores => $6, batch_limit => $7,
  lease => $8::bigint * interval '1 millisecond', claim_id => $9, lock_token => $10, explicit_begin => $11, holder_info => $12,
  namespace => $13, is_continued => $14)) as answer;

-- With begins of their own this transaction needn't be on the disk when it is answered: it makes nothing known, and nothing
-- is sent before a begin is. That one waits for the disk, and the log is written in order. Where the server crashes in
-- between, the records are queued as they were, and the begin of a token that it has forgotten is refused.
-- name: claim_next_records
select row_to_json(leasehold.claim_next_records(
  pool => $1, holder => $2, batch_limit => $3, lease => $4::bigint * interval '1 millisecond', claim_id => $5, lock_token => $6,
  explicit_begin => $7, holder_info => $8)) as answer,
  case when $7 then set_config('synchronous_commit', 'off', true) end as durability;

-- name: work
select row_to_json(leasehold.work(
  pool => $1, verdict_ids => $2, verdict_tokens => $3, verdicts => $4, provider_refs => $5, errors => $6, permanents => $7,
  begin_ids => $8, begin_tokens => $9, shared_tokens => $10)) as answer;

-- name: extend
select to_jsonb(answer) as answer from leasehold.extend(
  pool => $1, token => $2, lease => $3::bigint * interval '1 millisecond', is_own => $4) answer;

-- name: return_unworked
select to_jsonb(answer) as answer from leasehold.return_unworked(
  pool => $1, token => $2, ids => $3, is_own => $4) answer;

-- name: sweep
select to_jsonb(answer) as answer from leasehold.sweep(pool => $1, row_limit => $2, is_brief => $3) answer;

-- name: take_to_ask
select to_json(answer) as answer from leasehold.take_to_ask(
  pool => $1, row_limit => $2, every => $3::bigint * interval '1 millisecond') answer;

-- name: note_holder_ended
select to_jsonb(leasehold.note_holder_ended(pool => $1, claim_id => $2, holder => $3)) as answer;

-- name: apply_lookup
select to_jsonb(answer) as answer from leasehold.apply_lookup(
  pool => $1, id => $2, version => $3, claim_id => $4, holder => $5, attempt => $6, begun_at => $7, lease_until => $8,
  decision => $9, provider_ref => $10, send_before => $11, words => $12) answer;

-- name: decide_record
select to_jsonb(answer) as answer from leasehold.decide_record(
  pool => $1, id => $2, action => $3, reason => $4, version => $5, provider_ref => $6) answer;

-- name: change_pool
select to_jsonb(answer) as answer from leasehold.change_pool(pool => $1, settings => $2, paused => $3, reason => $4) answer;

-- name: pools
select to_jsonb(answer) as answer from leasehold.pools(pool => $1, page_limit => $2) answer;

-- name: records
select to_json(answer) as answer from leasehold.records(
  pool => $1, state => $2, id => $3, after_id => $4, after_version => $5, page_limit => $6) answer;

-- name: work_times
select to_jsonb(answer) as answer from leasehold.work_times(pool => $1) answer;
