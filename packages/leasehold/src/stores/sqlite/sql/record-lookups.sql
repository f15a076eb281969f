-- Whom a sweep asks for: begun under a claim that is over, flagged, or in review and a person wants it asked for. None that
-- was asked for a moment ago; an instant of asking that lies ahead was written by a faulty clock.

-- name: expired_to_ask
select r.no, r.pool, r.id, r.version, r.state, r.effect_key, r.attempt, r.attempts_forgiven, r.idle_requeues, r.token, r.claimed_at, r.is_begun,
  r.begun_at, r.first_begun_at, r.unknown_at, r.asked_at, r.ask_since, r.send_before, r.not_before, r.waits, r.has_newer, r.provider_ref,
  r.evidence_ref, r.evidence_at, r.verdict, r.error, r.updated_at,
  c.claim_id, c.holder, case when c.is_shared = 0 then c.holder_info end as holder_info, c.lease_until,
  case when c.is_shared = 0 then c.holder_ended_at end as holder_ended_at, p.payload
from claims c cross join records r left join payloads p on p.no = r.no
where c.pool = :pool and c.settled_at is null and c.lease_until <= :now
  and r.pool = :pool and substr(r.token, 1, 8) = substr(c.token, 1, 8) and r.token = c.token and r.is_begun = 1 and r.state = 'claimed' and r.unknown_at is null
  and (r.asked_at is null or r.asked_at <= :asked_before or r.asked_at > :now)
order by c.lease_until limit :limit;

-- name: flagged_to_ask
select r.no, r.pool, r.id, r.version, r.state, r.effect_key, r.attempt, r.attempts_forgiven, r.idle_requeues, r.token, r.claimed_at, r.is_begun,
  r.begun_at, r.first_begun_at, r.unknown_at, r.asked_at, r.ask_since, r.send_before, r.not_before, r.waits, r.has_newer, r.provider_ref,
  r.evidence_ref, r.evidence_at, r.verdict, r.error, r.updated_at,
  c.claim_id, c.holder, case when c.is_shared = 0 then c.holder_info end as holder_info, c.lease_until,
  case when c.is_shared = 0 then c.holder_ended_at end as holder_ended_at, p.payload
from records r left join claims c on c.token = r.token left join payloads p on p.no = r.no
where r.pool = :pool and r.state = 'claimed' and r.unknown_at is not null
  and (r.asked_at is null or r.asked_at <= :asked_before or r.asked_at > :now)
order by r.unknown_at limit :limit;

-- name: orphans_to_ask
select r.no, r.pool, r.id, r.version, r.state, r.effect_key, r.attempt, r.attempts_forgiven, r.idle_requeues, r.token, r.claimed_at, r.is_begun,
  r.begun_at, r.first_begun_at, r.unknown_at, r.asked_at, r.ask_since, r.send_before, r.not_before, r.waits, r.has_newer, r.provider_ref,
  r.evidence_ref, r.evidence_at, r.verdict, r.error, r.updated_at,
  null as claim_id, null as holder, null as holder_info, null as lease_until, null as holder_ended_at, p.payload
from records r left join payloads p on p.no = r.no
where r.pool = :pool and r.state = 'claimed' and r.is_begun = 1 and r.unknown_at is null
  and not exists (select 1 from claims c where c.token = r.token)
  and (r.asked_at is null or r.asked_at <= :asked_before or r.asked_at > :now)
limit :limit;

-- name: reviewed_to_ask
select r.no, r.pool, r.id, r.version, r.state, r.effect_key, r.attempt, r.attempts_forgiven, r.idle_requeues, r.token, r.claimed_at, r.is_begun,
  r.begun_at, r.first_begun_at, r.unknown_at, r.asked_at, r.ask_since, r.send_before, r.not_before, r.waits, r.has_newer, r.provider_ref,
  r.evidence_ref, r.evidence_at, r.verdict, r.error, r.updated_at,
  c.claim_id, c.holder, case when c.is_shared = 0 then c.holder_info end as holder_info, c.lease_until,
  case when c.is_shared = 0 then c.holder_ended_at end as holder_ended_at, p.payload
from records r left join claims c on c.token = r.token left join payloads p on p.no = r.no
where r.pool = :pool and r.state = 'review' and r.ask_since is not null
  and (r.asked_at is null or r.asked_at <= :asked_before or r.asked_at > :now)
order by r.asked_at limit :limit;

-- name: note_asked
update records set asked_at = :now, ask_since = coalesce(ask_since, :now)
where no in (select value from json_each(:nos));
