-- How a record leaves a token, and what is told of it. Each takes a row that is locked, as it is before.

-- One more attempt, or one more claim that came to nothing. The most that can be stored stays the most: a row that says so by
-- hand must not stop its pool.
create or replace function leasehold._one_more(count integer) returns integer
language sql immutable security invoker
return least(count, 2147483646) + 1;

-- Nothing learned is lost: who once owned a record is known by its token. The same claim may lose a record twice.
create or replace function leasehold._remember_owner(r leasehold.records, verdict text, now_at timestamptz) returns void
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
begin
  insert into leasehold.former_owners as f (pool, id, version, token, claim_id, holder, attempt, was_begun, verdict, until_at)
  select r.pool, r.id, r.version, r.token, c.claim_id, c.holder, r.attempt, r.is_begun, _remember_owner.verdict, now_at
  from (select r.token) own left join leasehold.claims c on c.token = own.token
  where own.token is not null
  on conflict on constraint former_owners_pkey do update set attempt = excluded.attempt,
    was_begun = f.was_begun or excluded.was_begun, verdict = coalesce(excluded.verdict, f.verdict), until_at = excluded.until_at;
end $$;

create or replace function leasehold._claim_of(token text) returns leasehold.claims
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
begin
  return (select c from leasehold.claims c where c.token = _claim_of.token);
end $$;

-- An event of a record; its holder is that of the claim. what: what the data says beside the version.
create or replace function leasehold._record_event(
  kind text, severity text, r leasehold.records, holder text, message text, what jsonb, now_at timestamptz
) returns void
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
begin
  perform leasehold._event(kind, severity, null, null, holder, message,
    jsonb_build_object('version', r.version) || what, now_at, r.pool, r.id);
end $$;

-- Another version of the id waits: the first to arrive may go, where none is being worked or in review.
create or replace function leasehold._free_next(pool text, id text, now_at timestamptz) returns void
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
begin
  if exists (
    select from leasehold.records s where s.pool = _free_next.pool and s.id = _free_next.id
      and (s.state in ('claimed', 'review') or s.state = 'queued' and not s.waits)
  ) then
    return;
  end if;
  update leasehold.records r set waits = false, updated_at = now_at
  where r.pool = _free_next.pool and r.id = _free_next.id and r.version = (
    select w.version from leasehold.records w
    where w.pool = _free_next.pool and w.id = _free_next.id and w.state = 'queued' and w.waits order by w.no limit 1);
end $$;

-- Whoever settles a version may have to let the next one of its id in: locked as well, and not waited for, since the record
-- itself was locked out of the order of the keys. False where another transaction has one of them: it is left to that, or to
-- the next call.
create or replace function leasehold._locks_versions(r leasehold.records) returns boolean
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
declare
  locked integer;
begin
  if not (r.has_newer or r.waits) then
    return true;
  end if;
  perform from leasehold.records o
  where o.pool = r.pool and o.id = r.id and o.version <> r.version and o.state not in ('done', 'cancelled')
  for no key update skip locked;
  get diagnostics locked = row_count;
  return locked = (select count(*) from leasehold.records o
    where o.pool = r.pool and o.id = r.id and o.version <> r.version and o.state not in ('done', 'cancelled'));
end $$;

-- A newer version of an id has arrived, and nothing was ever done for this one.
create or replace function leasehold._is_superseded(r leasehold.records) returns boolean
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
begin
  return r.has_newer and r.attempt = 0 and exists (
    select from leasehold.records n where n.pool = r.pool and n.id = r.id and n.no > r.no and n.state = 'queued');
end $$;

create or replace function leasehold._cancel(r leasehold.records, now_at timestamptz) returns void
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
begin
  perform leasehold._remember_owner(r, r.verdict, now_at);
  update leasehold.records c set state = 'cancelled', token = null, is_begun = false, waits = false, unknown_at = null,
    verdict = null, not_before = null, attempt = r.attempt, begun_at = r.begun_at, first_begun_at = r.first_begun_at,
    error = 'superseded by a newer version', updated_at = now_at
  where c.pool = r.pool and c.id = r.id and c.version = r.version;
  perform leasehold._free_next(r.pool, r.id, now_at);
end $$;

-- Back to the queue. spoken: what its owner said of it; send_before: when its provider no longer knows it again. The reference
-- that a former owner named stays. What was wrong does not where a person has decided: the event keeps it.
create or replace function leasehold._requeue(
  r leasehold.records, reason text, words text, spoken text, not_before timestamptz, send_before timestamptz, now_at timestamptz
) returns void
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
declare
  claim leasehold.claims := leasehold._claim_of(r.token);
  was_begun boolean := r.is_begun or r.unknown_at is not null;
begin
  perform leasehold._remember_owner(r, coalesce(spoken, r.verdict), now_at);
  update leasehold.records q set state = 'queued', token = null, is_begun = false, unknown_at = null, asked_at = null,
    ask_since = null, verdict = null, evidence_at = null, attempt = r.attempt,
    attempts_forgiven = r.attempts_forgiven, idle_requeues = r.idle_requeues, begun_at = r.begun_at,
    first_begun_at = r.first_begun_at, waits = r.waits, error = case when reason <> 'person' then r.error end, not_before = _requeue.not_before,
    send_before = _requeue.send_before, updated_at = now_at
  where q.pool = r.pool and q.id = r.id and q.version = r.version;
  perform leasehold._record_event('record.requeued', 'info', r, claim.holder,
    leasehold._message_requeued(leasehold._record_name(r.pool, r.id, r.version), reason, r.attempt, claim.holder, words,
      was_begun, not_before),
    jsonb_build_object('reason', reason, 'attempt', r.attempt, 'claimId', claim.claim_id, 'wasBegun', was_begun,
      'notBefore', leasehold._iso(not_before))
      || case when reason = 'person' then jsonb_build_object('error', r.error) else '{}' end, now_at);
end $$;

-- To a person. It keeps its token: what its owner says late is then known. Answers why, in words.
create or replace function leasehold._to_review(
  r leasehold.records, reason text, words text, spoken text, times integer, now_at timestamptz
) returns text
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
declare
  claim leasehold.claims := leasehold._claim_of(r.token);
  why text := leasehold._words_review(reason, r.attempt, claim.holder, words, times);
begin
  update leasehold.records v set state = 'review', verdict = coalesce(spoken, r.verdict), error = why,
    idle_requeues = r.idle_requeues, not_before = null, asked_at = null, ask_since = null, evidence_ref = r.evidence_ref,
    evidence_at = r.evidence_at, updated_at = now_at
  where v.pool = r.pool and v.id = r.id and v.version = r.version;
  perform leasehold._record_event('record.review', 'warning', r, claim.holder,
    leasehold._message_review(leasehold._record_name(r.pool, r.id, r.version), r.pool, why),
    jsonb_build_object('reason', reason, 'attempt', r.attempt, 'claimId', claim.claim_id), now_at);
  return why;
end $$;

-- Done or failed. What waited for it may go.
create or replace function leasehold._finish(
  r leasehold.records, state text, provider_ref text, spoken text, error text, now_at timestamptz
) returns void
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
begin
  update leasehold.records d set state = _finish.state, token = r.token, waits = false, unknown_at = null, asked_at = null,
    ask_since = null, evidence_ref = case when _finish.state <> 'done' then r.evidence_ref end, evidence_at = null,
    not_before = null, verdict = spoken,
    send_before = case when _finish.state = 'done' then null else r.send_before end,
    provider_ref = _finish.provider_ref, error = _finish.error, updated_at = now_at
  where d.pool = r.pool and d.id = r.id and d.version = r.version;
  if r.has_newer or r.waits then
    perform leasehold._free_next(r.pool, r.id, now_at);
  end if;
end $$;
