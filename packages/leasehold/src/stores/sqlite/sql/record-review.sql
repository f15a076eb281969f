-- name: versions_to_decide
select no, pool, id, version, state, effect_key, attempt, attempts_forgiven, idle_requeues, token, claimed_at, is_begun,
  begun_at, first_begun_at, unknown_at, asked_at, ask_since, send_before, not_before, waits, has_newer, provider_ref,
  evidence_ref, evidence_at, verdict, error, updated_at
from records where pool = :pool and id = :id and (:version is null or version = :version)
order by no desc limit :limit;
