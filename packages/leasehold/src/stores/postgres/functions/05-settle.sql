-- Expired claims: what needs no provider's answer is settled inside every claim call, so that nothing hangs on a second
-- scheduler. Whoever settles never waits: what another transaction has locked is passed by and left to it.

-- Until when a repeat may be sent in a pool whose owner declared repeats harmless: the provider's window counts from the
-- first begin, and a call takes its time. Null for ever.
create or replace function leasehold._redo_until(r leasehold.records, settings leasehold.pools) returns timestamptz
language sql stable security invoker
return coalesce(r.first_begun_at, r.begun_at, r.claimed_at, 'epoch')
  + (settings.redo_window_ms - settings.call_timeout_ms) * interval '1 millisecond';

create or replace function leasehold._may_redo(r leasehold.records, settings leasehold.pools, now_at timestamptz) returns boolean
language sql stable security invoker
return settings.redo = 'safe' and coalesce(now_at < leasehold._redo_until(r, settings), true);

-- True where only its provider can say what becomes of it, for 24 h at the most.
create or replace function leasehold._waits_for_answer(
  r leasehold.records, lease_until timestamptz, settings leasehold.pools, now_at timestamptz
) returns boolean
language sql stable security invoker
return (r.is_begun or r.unknown_at is not null) and settings.verifier is not null
  and not leasehold._may_redo(r, settings, now_at)
  and now_at < coalesce(r.unknown_at, lease_until, r.updated_at) + interval '24 hours';

-- So many claims came to nothing before its work began: two with neighbours, then as many alone as it has attempts.
create or replace function leasehold._is_idle_spent(times integer, attempts integer) returns boolean
language sql immutable security invoker
return times > 2 + attempts;

-- domain/records/decide-settle.ts, carried out: requeued | review | cancelled, or waits. The record's claim no longer
-- matters; its row is null where it is lost: what then waits for its provider's answer is flagged, or no sweep would find it.
create or replace function leasehold._settle_record(
  r leasehold.records, claim leasehold.claims, settings leasehold.pools, now_at timestamptz
) returns text
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
begin
  if leasehold._waits_for_answer(r, claim.lease_until, settings, now_at) then
    update leasehold.records f set unknown_at = now_at
    where claim.token is null and r.unknown_at is null and f.pool = r.pool and f.id = r.id and f.version = r.version;
    return 'waits';
  end if;
  if not r.is_begun and r.unknown_at is null then
    if leasehold._is_superseded(r) then
      perform leasehold._cancel(r, now_at);
      return 'cancelled';
    end if;
    r.idle_requeues := leasehold._one_more(r.idle_requeues);
    if leasehold._is_idle_spent(r.idle_requeues, settings.attempts) then
      perform leasehold._to_review(r, 'idle', null, null, r.idle_requeues, now_at);
      return 'review';
    end if;
    perform leasehold._requeue(r, 'expired', null, null, null, r.send_before, now_at);
    return 'requeued';
  end if;
  if leasehold._may_redo(r, settings, now_at) then
    if r.attempt - r.attempts_forgiven >= settings.attempts then
      perform leasehold._to_review(r, 'attempts', r.error, null, r.attempt - r.attempts_forgiven, now_at);
      return 'review';
    end if;
    perform leasehold._requeue(r, 'expired', null, null, null, leasehold._redo_until(r, settings), now_at);
    return 'requeued';
  end if;
  perform leasehold._to_review(r, case when settings.verifier is null then 'expired' else 'unanswered' end, null, null, null,
    now_at);
  return 'review';
end $$;

-- Leases further away than their whole length: a clock was ahead. They are drawn in and told, never ended early.
create or replace function leasehold._draw_claims_in(pool text, now_at timestamptz) returns void
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
declare
  claim leasehold.claims;
  latest timestamptz;
begin
  -- now_at may be older than a claim that was committed since: the clock is read again once the row is locked.
  for claim in
    select c.* from leasehold.claims c
    where c.pool = _draw_claims_in.pool and c.settled_at is null
      and leasehold._lease_start(c.lease_until, c.lease_ms) > now_at
    order by leasehold._lease_start(c.lease_until, c.lease_ms) desc limit 100 for update skip locked
  loop
    now_at := leasehold._now();
    latest := now_at + (claim.lease_until - leasehold._lease_start(claim.lease_until, claim.lease_ms));
    continue when claim.lease_until <= latest;
    update leasehold.claims c set lease_until = latest where c.token = claim.token;
    perform leasehold._event('clock.fault', 'warning', null, null, claim.holder,
      leasehold._message_claim_clock_fault(claim.pool, claim.claim_id, claim.lease_until, latest),
      jsonb_build_object('claimId', claim.claim_id, 'endedAt', leasehold._iso(claim.lease_until),
        'leaseUntil', leasehold._iso(latest)), now_at, claim.pool);
  end loop;
end $$;

-- Whose leases are over: locked, the oldest first. Those that wait for their provider's answer have their own time.
create or replace function leasehold._expired_tokens(pool text, now_at timestamptz) returns text[]
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
begin
  return array(
      select c.token from leasehold.claims c
      where c.pool = _expired_tokens.pool and c.settled_at is null and not c.is_asking and c.lease_until <= now_at
      order by c.lease_until limit 200 for update skip locked)
    || array(
      select c.token from leasehold.claims c
      where c.pool = _expired_tokens.pool and c.settled_at is null and c.is_asking
        and c.lease_until <= leasehold._after(now_at, -86400000)
      order by c.lease_until limit 200 for update skip locked);
end $$;

-- Claims of which nothing is left are closed; those of which only waiting records are left are looked at again in 24 h.
-- Flagged records have an index of their own, and need no claim for it.
create or replace function leasehold._close_claims(settings leasehold.pools, tokens text[], now_at timestamptz) returns void
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
begin
  update leasehold.claims c set settled_at = case when k.kept = 0 then now_at end, is_asking = k.kept > 0
  from (
    select t.token, n.kept, n.waits from leasehold.claims t
    cross join lateral (
      select count(*) as kept, count(*) filter (where leasehold._waits_for_answer(r, t.lease_until, settings, now_at)) as waits
      from leasehold.records r
      where r.token = t.token and (r.pool = settings.pool) is true and r.state = 'claimed' and r.unknown_at is null
    ) n
    where t.token = any(tokens)
  ) k
  where c.token = k.token and k.kept = k.waits;
end $$;

-- At most rows_max records of these claims, and of the flagged ones. Answers {requeued, review, cancelled}.
create or replace function leasehold._settle_tokens(
  settings leasehold.pools, tokens text[], rows_max integer, now_at timestamptz
) returns integer[]
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
declare
  r leasehold.records;
  counts integer[] := array[0, 0, 0];
  asks boolean := settings.verifier is not null and settings.redo = 'ask';
begin
  for r in
    select l.* from leasehold.claims c
    cross join lateral (
      select k.* from leasehold.records k
      where k.token = c.token and (k.pool = settings.pool) is true and k.state = 'claimed' and k.unknown_at is null
        and not leasehold._waits_for_answer(k, c.lease_until, settings, now_at)
      for no key update skip locked
    ) l
    where c.token = any(tokens) limit rows_max
  loop
    continue when not leasehold._locks_versions(r);
    counts := leasehold._counted(counts, leasehold._settle_record(r, leasehold._claim_of(r.token), settings, now_at));
  end loop;
  for r in
    select l.* from leasehold.records l
    where l.pool = settings.pool and l.flagged_at is not null
      and l.flagged_at <= case when asks then leasehold._after(now_at, -86400000) else now_at end
      and not leasehold._waits_for_answer(l, null, settings, now_at)
    order by l.flagged_at limit rows_max - (counts[1] + counts[2] + counts[3]) for no key update skip locked
  loop
    continue when not leasehold._locks_versions(r);
    counts := leasehold._counted(counts, leasehold._settle_record(r, leasehold._claim_of(r.token), settings, now_at));
  end loop;
  perform leasehold._close_claims(settings, tokens, now_at);
  return counts;
end $$;

create or replace function leasehold._counted(counts integer[], came text) returns integer[]
language sql immutable security invoker
return array[
  counts[1] + (came = 'requeued')::integer, counts[2] + (came = 'review')::integer,
  counts[3] + (came = 'cancelled')::integer];

-- True where a claim has nothing to settle in this pool: by the first entry of each index. That is asked for by its order,
-- which leaves the planner no choice of another index, whatever it thinks of the tables.
create or replace function leasehold._is_settled(settings leasehold.pools, now_at timestamptz) returns boolean
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
begin
  return coalesce((select c.lease_until from leasehold.claims c where c.pool = settings.pool and c.settled_at is null
      and not c.is_asking order by c.lease_until limit 1) > now_at, true)
    and coalesce((select c.lease_until from leasehold.claims c where c.pool = settings.pool and c.settled_at is null
      and c.is_asking order by c.lease_until limit 1) > leasehold._after(now_at, -86400000), true)
    and (select true from leasehold.claims c
      where c.pool = settings.pool and c.settled_at is null and leasehold._lease_start(c.lease_until, c.lease_ms) > now_at
      order by leasehold._lease_start(c.lease_until, c.lease_ms) desc limit 1) is null
    and coalesce((select r.flagged_at from leasehold.records r where r.pool = settings.pool and r.flagged_at is not null
      order by r.flagged_at limit 1) > case when settings.verifier is null or settings.redo = 'safe' then now_at
        else leasehold._after(now_at, -86400000) end, true);
end $$;

-- Settles what it can of a pool: at most rows_max records.
create or replace function leasehold._settle(settings leasehold.pools, rows_max integer) returns integer[]
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
declare
  now_at timestamptz := leasehold._now();
  tokens text[];
begin
  if leasehold._is_settled(settings, now_at) then
    return array[0, 0, 0];
  end if;
  perform leasehold._draw_claims_in(settings.pool, now_at);
  tokens := leasehold._expired_tokens(settings.pool, now_at);
  return leasehold._settle_tokens(settings, tokens, rows_max, leasehold._now());
end $$;
