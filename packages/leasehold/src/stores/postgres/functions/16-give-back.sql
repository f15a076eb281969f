-- leasehold.extend and leasehold.return_unworked: a claim as a whole.

-- The claim of this token in this pool, locked, its lease drawn in where a clock was ahead; nulls for a token that no claim has.
create or replace function leasehold._claim_to_write(pool text, token text) returns leasehold.claims
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
declare
  claim leasehold.claims;
begin
  select c.* into claim from leasehold.claims c
  where c.token = _claim_to_write.token and (c.pool = _claim_to_write.pool) is true for no key update;
  if leasehold._lease_start(claim.lease_until, claim.lease_ms) > leasehold._now() then
    perform leasehold._draw_claims_in(claim.pool, leasehold._now());
    claim := leasehold._claim_of(claim.token);
  end if;
  return claim;
end $$;

-- Of a claim whose records count as begun from the start, a call may start at any time in the lease: it goes no further
-- than all their providers know them again, nor ends earlier for that.
create or replace function leasehold._extended_until(claim leasehold.claims, settings leasehold.pools, now_at timestamptz) returns timestamptz
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
begin
  return case when claim.explicit_begin then leasehold._after(now_at, claim.lease_ms) else
    least(leasehold._after(now_at, claim.lease_ms), (
      select greatest(claim.lease_until, leasehold._after(min(r.send_before), settings.call_timeout_ms)) from leasehold.records r
      where r.token = claim.token and (r.pool = claim.pool) is true and r.state = 'claimed' and r.send_before is not null
      having count(*) > 0)) end;
end $$;

-- leasehold.extend: a live lease of a claim that still has something to work lasts from now on as long as it was given
-- for, or as lease says. One that is over is lost, even if nobody has settled it.
-- is_own: the process that claimed extends it, and nobody else has its token; only then its end may be proven later.
-- Whoever extends has not ended, whatever was proven. Answers extended | lost. Errors: LH002, LH003.
create or replace function leasehold.extend(pool text, token text, lease interval default null, is_own boolean default false) returns leasehold.extend_answer
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
set enable_seqscan = off set lock_timeout = '2s' as $$
declare
  claim leasehold.claims;
  settings leasehold.pools;
  now_at timestamptz;
  answer leasehold.extend_answer;
begin
  perform leasehold._refuse_in_transaction('extend');
  perform leasehold._check_text(pool, 'pool name', 255);
  perform leasehold._check_text(token, 'token', 1024);
  perform case when lease is not null then leasehold._interval_ms(lease, 'lease', 1000, 2678400000) end;
  if not coalesce(is_own, false) then
    perform leasehold._note_shared(pool, array[token]);
  end if;
  claim := leasehold._claim_to_write(pool, token);
  now_at := leasehold._now();
  answer.pool := pool;
  answer.claim_id := claim.claim_id;
  answer.reason := case
    when claim.token is null then 'unknown_token'
    when claim.lease_until <= now_at then 'expired'
    when not exists (select from leasehold.records r
      where r.token = claim.token and (r.pool = claim.pool) is true and r.state = 'claimed') then 'settled' end;
  if answer.reason is null then
    select p.* into settings from leasehold.pools p where p.pool = extend.pool;
    if lease is not null or claim.lease_ms not between 1000 and 2678400000 then
      claim.lease_ms := leasehold._interval_ms(coalesce(lease, least(claim.lease_ms, 2678400000) * interval '1 millisecond'),
        'lease', 1000, 2678400000);
    end if;
    perform leasehold._check_claim_lease(claim.lease_ms, settings);
    update leasehold.claims c set lease_ms = claim.lease_ms, renewed_at = now_at, holder_ended_at = null,
      lease_until = leasehold._extended_until(claim, settings, now_at)
    where c.token = claim.token returning c.* into claim;
  end if;
  answer.outcome := case when answer.reason is null then 'extended' else 'lost' end;
  answer.lease_until := claim.lease_until;
  answer.remaining_ms := leasehold._remaining_ms(claim.lease_until, now_at);
  answer.message := leasehold._message_extend(pool, claim.claim_id, claim.lease_until, answer.reason, now_at);
  return answer;
end $$;

-- A record given back: as if this claim had never begun it.
create or replace function leasehold._give_back(r leasehold.records, now_at timestamptz) returns void
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
begin
  if r.is_begun then
    r.is_begun := false;
    r.attempt := greatest(0, r.attempt - 1);
    r.begun_at := case when r.attempt > 0 then r.begun_at end;
    r.first_begun_at := case when r.attempt > 0 then r.first_begun_at end;
  end if;
  if leasehold._is_superseded(r) then
    perform leasehold._cancel(r, now_at);
  else
    perform leasehold._requeue(r, 'returned', null, null, null, r.send_before, now_at);
  end if;
end $$;

-- leasehold.return_unworked: gives back what this claim has not begun, also after its lease while nobody has settled it.
--   ids     those alone; of a claim whose records begin with it, only what is named goes back
--   is_own  see leasehold.extend
-- Answers returned | not_holder, with the keys that went back and those that it keeps. Errors: LH002, LH003.
create or replace function leasehold.return_unworked(
  pool text, token text, ids text[] default null, is_own boolean default false
) returns leasehold.return_answer
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
set enable_seqscan = off set lock_timeout = '2s' as $$
declare
  claim leasehold.claims;
  r leasehold.records;
  now_at timestamptz;
  answer leasehold.return_answer;
begin
  perform leasehold._refuse_in_transaction('return_unworked');
  perform leasehold._check_text(pool, 'pool name', 255);
  perform leasehold._check_text(token, 'token', 1024);
  if not coalesce(is_own, false) then
    perform leasehold._note_shared(pool, array[token]);
  end if;
  select c.* into claim from leasehold.claims c where c.token = return_unworked.token and (c.pool = return_unworked.pool) is true;
  answer := row('returned', pool, claim.claim_id, '{}', '{}', '{}', '{}', null)::leasehold.return_answer;
  -- In the order of the keys; with the other versions of their ids where a waiting one may be let in.
  if exists (select from leasehold.records k
    where k.token = claim.token and (k.pool = claim.pool) is true and k.state = 'claimed' and k.has_newer) then
    perform leasehold._lock_versions(claim.pool, array(select k.id from leasehold.records k
      where k.token = claim.token and (k.pool = claim.pool) is true and k.state = 'claimed'));
  else
    perform from leasehold.records k where k.token = claim.token and (k.pool = claim.pool) is true and k.state = 'claimed'
    order by k.id, k.version for no key update;
  end if;
  now_at := leasehold._now();
  for r in
    select k.* from leasehold.records k
    where k.token = claim.token and (k.pool = claim.pool) is true and k.state = 'claimed' order by k.no
  loop
    if r.unknown_at is null and (ids is null or r.id = any(ids))
      and (not r.is_begun or not claim.explicit_begin and ids is not null) then
      perform leasehold._give_back(r, now_at);
      answer.returned_ids := answer.returned_ids || r.id;
      answer.returned_versions := answer.returned_versions || r.version;
    else
      answer.kept_ids := answer.kept_ids || r.id;
      answer.kept_versions := answer.kept_versions || r.version;
    end if;
  end loop;
  answer.outcome := case when claim.token is null then 'not_holder' else 'returned' end;
  answer.message := leasehold._message_return(pool, claim.claim_id, cardinality(answer.returned_ids),
    cardinality(answer.kept_ids));
  return answer;
end $$;
