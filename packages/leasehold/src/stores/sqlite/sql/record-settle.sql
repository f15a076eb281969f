-- What expired claims have left, and records whose outcome is not known. Never-begun ones are found by an index of their
-- own, so that thousands which wait for their provider's answer cost nothing here.

-- name: expired_unbegun
select r.no, c.claim_id, c.holder, c.lease_until
from claims c cross join records r
where c.pool = :pool and c.settled_at is null and c.lease_until <= :now
  and r.pool = :pool and substr(r.token, 1, 8) = substr(c.token, 1, 8) and r.token = c.token and r.is_begun = 0 and r.state = 'claimed' and r.unknown_at is null
order by c.lease_until limit :limit + 0;

-- Of a pool that asks only those that wait for too long; of one whose repeats are safe within a window those inside it too.
-- name: expired_begun
select r.no, c.claim_id, c.holder, c.lease_until
from claims c cross join records r
where c.pool = :pool and c.settled_at is null and c.lease_until <= :before
  and r.pool = :pool and substr(r.token, 1, 8) = substr(c.token, 1, 8) and r.token = c.token and r.is_begun = 1 and r.state = 'claimed' and r.unknown_at is null
  and (:all = 1 or c.lease_until <= :unanswered or coalesce(r.first_begun_at, r.begun_at, r.claimed_at) > :first_begun_after)
order by c.lease_until limit :limit + 0;

-- name: flagged
select r.no, c.claim_id, c.holder, c.lease_until
from records r left join claims c on c.token = r.token
where r.pool = :pool and r.state = 'claimed' and r.unknown_at <= :before
  and (:all = 1 or r.unknown_at <= :unanswered or coalesce(r.first_begun_at, r.begun_at, r.claimed_at) > :first_begun_after)
order by r.unknown_at limit :limit + 0;

-- Claimed by nobody whose claim is open in this pool: written by hand, or the claim's row is lost.
-- name: orphans
select r.no, null as claim_id, null as holder, null as lease_until
from records r
where r.pool = :pool and r.state = 'claimed' and r.unknown_at is null
  and not exists (
    select 1 from claims c
    where c.token = r.token and (c.lease_until > :now or (c.pool = r.pool and c.settled_at is null))
  )
limit :limit;

-- name: flag_orphan
update records set unknown_at = :now where no = :no;

-- name: close_claims
update claims set settled_at = :now where token in (
  select c.token from claims c
  where c.pool = :pool and c.settled_at is null and c.lease_until <= :now
    and not exists (
      select 1 from records r where r.pool = :pool and substr(r.token, 1, 8) = substr(c.token, 1, 8) and r.token = c.token and r.state = 'claimed'
    )
  limit :limit + 0
);
