-- Records given to a claim, many at a time: their numbers come as one JSON text.

-- A token that a queued one still carries, as a person may have put it back, is remembered as every other that a record leaves.
-- name: remember_owners
insert into former_owners (pool, id, version, token, claim_id, holder, attempt, was_begun, verdict, until_at)
select r.pool, r.id, r.version, r.token, c.claim_id, c.holder, r.attempt, r.is_begun, r.verdict, :now
from records r left join claims c on c.token = r.token
where r.no in (select value from json_each(:nos)) and r.token is not null
on conflict (pool, id, version, token) do update set
  attempt = excluded.attempt, was_begun = max(was_begun, excluded.was_begun),
  verdict = coalesce(excluded.verdict, verdict), until_at = excluded.until_at;

-- name: take_records
update records set state = 'claimed', token = :token, claimed_at = :now, is_begun = :begins, attempt = min(attempt, 9007199254740991 - :begins) + :begins,
  begun_at = case when :begins = 1 then :now else begun_at end,
  first_begun_at = case when :begins = 1 then coalesce(first_begun_at, :now) else first_begun_at end,
  not_before = null, verdict = null, updated_at = :now, room = null
where no in (select value from json_each(:nos));

-- Claimed, and its provider has to be asked before it may be sent again.
-- name: flag_records
update records set state = 'claimed', token = :token, claimed_at = :now, is_begun = 0, unknown_at = :now,
  asked_at = null, ask_since = null, not_before = null, verdict = null, updated_at = :now, room = null
where no in (select value from json_each(:nos));

-- name: taken_records
select r.id, r.version, r.effect_key, r.attempt, r.is_begun, p.payload
from json_each(:nos) k cross join records r left join payloads p on p.no = r.no
where r.no = k.value
order by k.key;

-- A flagged one is nobody's to work, whoever has it.
-- name: records_to_work
select no, idle_requeues, is_begun from records
where pool = :pool and substr(token, 1, 8) = substr(:token, 1, 8) and token = :token and state = 'claimed' and unknown_at is null
order by no;

-- name: any_claimed
select 1 as is_any from records where pool = :pool and substr(token, 1, 8) = substr(:token, 1, 8) and token = :token and state = 'claimed' limit 1;

-- name: earliest_send_before
select min(send_before) as send_before from records
where pool = :pool and substr(token, 1, 8) = substr(:token, 1, 8) and token = :token and state = 'claimed' and send_before is not null;

-- name: all_claimed
select no, id, version, is_begun, unknown_at from records
where pool = :pool and substr(token, 1, 8) = substr(:token, 1, 8) and token = :token and state = 'claimed'
order by no;
