-- Pools: what they are set to, and how they stand. Each count has an index of its own; what is done is what is left.

-- name: make_pool
insert into pools (pool, created_at) values (:pool, :now) on conflict do nothing;

-- name: pool_by_name
select pool, redo, redo_window_ms, attempts, lease_ms, claim_limit, call_timeout_ms, verifier, paused_at
from pools where pool = :pool;

-- name: pools_in_order
select pool, redo, redo_window_ms, attempts, lease_ms, claim_limit, call_timeout_ms, verifier, paused_at
from pools order by pool limit :limit;

-- name: write_pool
update pools set redo = :redo, redo_window_ms = :redo_window_ms, attempts = :attempts, lease_ms = :lease_ms,
  claim_limit = :claim_limit, call_timeout_ms = :call_timeout_ms, verifier = :verifier, paused_at = :paused_at
where pool = :pool;

-- name: pool_counts
select
  (select count(*) from records where pool = :pool) as total,
  (select count(*) from records where pool = :pool and state = 'queued' and waits = 0) as queued,
  (select count(*) from records
    where pool = :pool and state = 'queued' and waits = 0 and not_before > :now) as deferred,
  (select count(*) from records where pool = :pool and state = 'queued' and waits = 1) as waiting,
  (select count(*) from records where pool = :pool and state = 'claimed') as claimed,
  (select count(*) from records where pool = :pool and state = 'failed' and state in ('review', 'failed')) as failed,
  (select count(*) from records where pool = :pool and state = 'review' and state in ('review', 'failed')) as review,
  (select count(*) from records where pool = :pool and state = 'cancelled') as cancelled;

-- Begun under an expired claim, or flagged, or in review and asked for by a person.
-- name: to_ask_count
select
  (select count(*) from claims c
    join records r on r.pool = c.pool and substr(r.token, 1, 8) = substr(c.token, 1, 8) and r.token = c.token and r.is_begun = 1 and r.state = 'claimed'
    where c.pool = :pool and c.settled_at is null and c.lease_until <= :now and r.unknown_at is null)
  + (select count(*) from records where pool = :pool and state = 'claimed' and unknown_at is not null)
  + (select count(*) from records where pool = :pool and state = 'review' and ask_since is not null) as to_ask;

-- The newest with records that wait for their verdict; expired ones too.
-- name: live_claims
select claim_id, holder, holder_info, claimed_at, lease_until, records from (
  select claim_id, holder, holder_info, claimed_at, lease_until,
    (select count(*) from records r where r.pool = c.pool and substr(r.token, 1, 8) = substr(c.token, 1, 8) and r.token = c.token and r.state = 'claimed') as records
  from claims c where c.pool = :pool and c.settled_at is null
) open where records > 0
order by claimed_at desc, claim_id limit :limit;

-- name: oldest_claim
select min(claimed_at) as oldest_at from claims c
where c.pool = :pool and c.settled_at is null
  and exists (select 1 from records r where r.pool = c.pool and substr(r.token, 1, 8) = substr(c.token, 1, 8) and r.token = c.token and r.state = 'claimed');
