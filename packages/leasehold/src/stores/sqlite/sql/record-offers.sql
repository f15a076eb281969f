-- Which of many keys are known: they come as one JSON text, so that ten thousand are a handful of statements.

-- name: known_keys
select r.id, r.version
from json_each(:keys) k cross join records r
where r.pool = :pool and r.id = k.value ->> 0 and r.version = k.value ->> 1;

-- name: known_offers
select r.no, r.id, r.version, r.state, r.attempt, r.idle_requeues, r.claimed_at, r.token, r.unknown_at, r.send_before,
  r.not_before, r.waits, r.updated_at, c.claim_id, c.holder, c.lease_until
from json_each(:keys) k cross join records r left join claims c on c.token = r.token
where r.pool = :pool and r.id = k.value ->> 0 and r.version = k.value ->> 1;
