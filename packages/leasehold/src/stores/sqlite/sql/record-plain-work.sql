-- What most begins and most verdicts are, all those of a call at once: one statement finds the records that nothing is special
-- about, one writes them. Whatever else a record may be like is decided by the domain, with the same answer for these: an
-- optimisation, never another answer. Whose the record is the caller looks at. `+` keeps the index of a claim's records out.

-- name: plain_to_begin
select k.key, r.token, r.no, r.version, r.attempt, r.send_before
from json_each(:ids) k cross join records r
where r.pool = :pool and r.id = k.value and +r.state = 'claimed' and r.is_begun = 0 and +r.unknown_at is null
  and (r.send_before is null or r.send_before >= :now);

-- name: begin_plain
update records set attempt = min(attempt, 9007199254740990) + 1, is_begun = 1, begun_at = :now, first_begun_at = coalesce(first_begun_at, :now),
  updated_at = :now
where no in (select value from json_each(:nos));

-- name: plain_to_finish
select k.key, r.token, r.no, r.version
from json_each(:ids) k cross join records r
where r.pool = :pool and r.id = k.value and +r.state = 'claimed' and +r.unknown_at is null and r.has_newer = 0
  and r.waits = 0 and r.send_before is null and +r.not_before is null and r.asked_at is null and r.ask_since is null
  and r.evidence_at is null and r.evidence_ref is null and r.error is null;

-- The reference of each by its number.
-- name: finish_plain
update records set state = 'done', verdict = 'done', provider_ref = k.value, updated_at = :now
from json_each(:refs) k where records.no = k.key;
