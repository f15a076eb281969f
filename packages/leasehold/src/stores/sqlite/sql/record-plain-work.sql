-- What most begins and most verdicts are, in one statement each. Whatever else a record may be like is decided by the domain,
-- with the same answer for these: an optimisation, never another answer. `+` keeps the index of a claim's records out.

-- name: begin_plainly
update records set attempt = min(attempt, 9007199254740990) + 1, is_begun = 1, begun_at = :now, first_begun_at = coalesce(first_begun_at, :now),
  updated_at = :now
where no = (
  select no from records
  where pool = :pool and id = :id and +token = :token and +state = 'claimed' and is_begun = 0 and +unknown_at is null
    and (send_before is null or send_before >= :now)
  limit 1
)
returning version, attempt, send_before;

-- name: finish_plainly
update records set state = 'done', verdict = 'done', provider_ref = :provider_ref, updated_at = :now
where no = (
  select no from records
  where pool = :pool and id = :id and +token = :token and +state = 'claimed' and +unknown_at is null and has_newer = 0
    and waits = 0 and send_before is null and +not_before is null and asked_at is null and ask_since is null
    and evidence_at is null and evidence_ref is null and error is null
  limit 1
)
returning version;
