-- Claims: one row a lease over records.

-- name: claim_by_token
select token, claim_id, pool, holder, holder_info, explicit_begin, lease_ms, lease_until, holder_ended_at, is_shared
from claims where token = :token;

-- name: claim_of_repeat
select token, claim_id, pool, holder, holder_info, explicit_begin, lease_ms, lease_until, holder_ended_at, is_shared
from claims where pool = :pool and claim_id = :claim_id and holder = :holder;

-- Where records begin with their claim, whoever has its token sends without a word: it counts as shared from the start.
-- name: insert_claim
insert into claims (
  token, claim_id, pool, holder, holder_info, lock, explicit_begin, lease_ms, lease_until, claimed_at, is_shared
) values (
  :token, :claim_id, :pool, :holder, :holder_info, :lock, :explicit_begin, :lease_ms, :lease_until, :now,
  1 - :explicit_begin
);

-- Who extends has not ended, whatever was proven of it.
-- name: extend_claim
update claims set lease_ms = :lease_ms, lease_until = :lease_until, renewed_at = :now, holder_ended_at = null
where token = :token;

-- name: share_claim
update claims set is_shared = 1 where token = :token;

-- name: draw_in_claim
update claims set lease_until = :lease_until where token = :token;

-- name: note_holder_ended
update claims set holder_ended_at = coalesce(holder_ended_at, :now)
where pool = :pool and claim_id = :claim_id and holder = :holder and is_shared = 0
returning holder_ended_at;

-- name: claims_ahead
select token, claim_id, pool, holder, holder_info, explicit_begin, lease_ms, lease_until, holder_ended_at, is_shared
from claims where pool = :pool and settled_at is null and lease_until - lease_ms > :now
limit :limit + 0;

-- The lock that a token holds: its run knows which.
-- name: lock_of_token
select lock from runs where token = :token;
