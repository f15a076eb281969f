-- What every claim does before it takes anything: its limits, its lock, its repeat.

-- What _refuse_in_transaction refuses, asked so that it costs next to nothing.
create or replace function leasehold._is_in_transaction() returns boolean
language sql volatile security invoker
return pg_current_xact_id_if_assigned() is not null or clock_timestamp() - transaction_timestamp() > interval '1 second';

-- A begin needs the call time-out of what remains.
create or replace function leasehold._check_claim_lease(lease_ms bigint, settings leasehold.pools) returns void
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
begin
  if lease_ms < settings.call_timeout_ms then
    perform leasehold._refuse(format(
      'lease is %s, shorter than the call time-out of its pool (%s): no record of it could begin',
      leasehold._duration(lease_ms), leasehold._duration(settings.call_timeout_ms)));
  end if;
end $$;

-- A row of claims as it will be written. Its times come once the records are locked.
create or replace function leasehold._checked_claim(
  settings leasehold.pools, holder text, lease interval, claim_id text, explicit_begin boolean, holder_info jsonb
) returns leasehold.claims
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
declare
  claim leasehold.claims;
begin
  claim.pool := settings.pool;
  claim.holder := leasehold._check_text(holder, 'holder', 1024);
  claim.claim_id := case when claim_id is null then gen_random_uuid()::text
    else leasehold._check_text(claim_id, 'claim id', 1024) end;
  claim.token := gen_random_uuid()::text;
  claim.explicit_begin := coalesce(explicit_begin, false);
  claim.lease_ms := case when lease is null then settings.lease_ms
    else leasehold._interval_ms(lease, 'lease', 1000, 2678400000) end;
  perform leasehold._check_claim_lease(claim.lease_ms, settings);
  if jsonb_typeof(holder_info) <> 'object' then
    perform leasehold._refuse('holder_info must be a JSON object');
  end if;
  claim.holder_info := holder_info;
  return claim;
end $$;

create or replace function leasehold._claim_limit(settings leasehold.pools, batch_limit integer) returns integer
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
begin
  if not (coalesce(batch_limit, settings.claim_limit) between 1 and 10000) then
    perform leasehold._refuse('claim limit must be a whole number from 1 to 10000');
  end if;
  return coalesce(batch_limit, settings.claim_limit);
end $$;

-- The name of the lock that this token holds, kept from changing its owner until this transaction ends; null where it is
-- held no longer.
create or replace function leasehold._held_lock(lock_token text) returns text
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
declare
  state leasehold.locks;
begin
  select l.* into state from leasehold.locks l
  where l.name = (select r.lock from leasehold.runs r where r.token = lock_token) for key share;
  return case when state.token = lock_token and state.drain_until is null and state.lease_until > leasehold._now()
    then state.name end;
end $$;

create or replace function leasehold._nothing_claimed(claim leasehold.claims, outcome text) returns leasehold.claim_answer
language sql stable security invoker
return row(outcome, claim.pool, claim.claim_id, null, null, null, 0, 0, 0,
  leasehold._message_claim(outcome, claim.pool, claim.claim_id, 0, null, null, false), '{}', '{}', false)::leasehold.claim_answer;

-- True for what a claim may be given, also once more: claimed, not flagged, and not begun where it says of each when it
-- begins. Whoever asks again knows nothing of a begin: another process made it, and may have sent.
create or replace function leasehold._is_given(r leasehold.records, claim leasehold.claims) returns boolean
language sql immutable security invoker
return coalesce(r.token = claim.token and r.state = 'claimed' and r.unknown_at is null
  and not (r.is_begun and claim.explicit_begin), false);

-- How many records a claim has to work, begun or not: as many as count towards its limit.
create or replace function leasehold._held_count(claim leasehold.claims) returns integer
language sql volatile security invoker
return (select count(*)::integer from leasehold.records r
  where r.token = claim.token and (r.pool = claim.pool) is true and r.state = 'claimed' and r.unknown_at is null);

-- What a claim of the next ones has and is not given again: it has begun, or its provider has to be asked.
create or replace function leasehold._kept_back(claim leasehold.claims) returns leasehold.refused_record[]
language sql volatile security invoker
return array(
  select row(r.id, r.version, 'ask_first', null, null)::leasehold.refused_record
  from leasehold.records r
  where r.token = claim.token and (r.pool = claim.pool) is true and r.state = 'claimed' and not leasehold._is_given(r, claim)
  order by r.no);

-- The records that a claim is given. Those that were offered now in the order of the offer, those that it had before them. The
-- two lists are hashed: ten thousand of each, one looked up in the other by going through it, would take seconds.
create or replace function leasehold._owned(claim leasehold.claims, ids text[], versions text[]) returns leasehold.owned_record[]
language sql volatile security invoker set enable_nestloop = off
return array(
  select row(r.id, r.version, r.effect_key, case when r.is_begun then r.attempt else leasehold._one_more(r.attempt) end, r.payload::text)::leasehold.owned_record
  from leasehold.records r
  left join unnest(ids, versions) with ordinality o (id, version, place) on o.id = r.id and coalesce(o.version, '') = r.version
  where r.token = claim.token and (r.pool = claim.pool) is true and r.state = 'claimed' and r.unknown_at is null
    and not (r.is_begun and claim.explicit_begin)
  order by o.place nulls first, r.no);

-- Another process than the one that claimed may have the token: that one's end proves nothing from now on. Written once, and
-- before its records are locked.
create or replace function leasehold._note_shared(pool text, tokens text[]) returns void
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
begin
  perform from leasehold.claims c
  where c.token = any(tokens) and (c.pool = _note_shared.pool) is true and not c.is_shared order by c.token for no key update;
  update leasehold.claims c set is_shared = true
  where c.token = any(tokens) and (c.pool = _note_shared.pool) is true and not c.is_shared;
end $$;

-- Two calls of one claim take turns. Answers the claim as it was made by an earlier one, its row locked; nulls where it is new.
create or replace function leasehold._earlier_claim(claim leasehold.claims) returns leasehold.claims
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
declare
  earlier leasehold.claims;
begin
  perform pg_advisory_xact_lock(leasehold._start_key(claim.pool, claim.claim_id, claim.holder));
  select c.* into earlier from leasehold.claims c
  where c.pool = claim.pool and c.claim_id = claim.claim_id and c.holder = claim.holder for no key update;
  if earlier.holder_info is distinct from claim.holder_info and not earlier.is_shared and earlier.lease_until > leasehold._now() then
    perform leasehold._note_shared(earlier.pool, array[earlier.token]);
  end if;
  return earlier;
end $$;

-- The row of a claim that has taken something, or that keeps what has to be asked for. Its lease begins now, when every
-- lock has been waited for. Two calls of one claim have taken turns; under REPEATABLE READ the second of them can't see the
-- first, and the conflict is a serialization failure, which its caller repeats. Where records begin with their claim, whoever
-- has its token sends without a word: it counts as shared from the start.
create or replace function leasehold._write_claim(claim leasehold.claims) returns leasehold.claims
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
begin
  claim.claimed_at := leasehold._now();
  claim.lease_until := leasehold._after(claim.claimed_at, claim.lease_ms);
  insert into leasehold.claims (token, claim_id, pool, holder, holder_info, lock, explicit_begin, lease_ms, lease_until, claimed_at,
    is_shared)
  values (claim.token, claim.claim_id, claim.pool, claim.holder, claim.holder_info, claim.lock, claim.explicit_begin,
    claim.lease_ms, claim.lease_until, claim.claimed_at, not claim.explicit_begin)
  on conflict do nothing;
  return claim;
end $$;

create or replace function leasehold._claim_answer(
  claim leasehold.claims, owned leasehold.owned_record[], refused leasehold.refused_record[], offered integer,
  settled integer[], is_repeat boolean, is_new boolean
) returns leasehold.claim_answer
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
declare
  has_some boolean := cardinality(owned) > 0;
begin
  return row('claimed', claim.pool, claim.claim_id, case when has_some then claim.token end,
    case when has_some then claim.lease_until end,
    case when has_some then case when is_new then claim.lease_ms
      else leasehold._remaining_ms(claim.lease_until, leasehold._now()) end end,
    settled[1], settled[2], settled[3],
    leasehold._message_claim('claimed', claim.pool, claim.claim_id, cardinality(owned), offered,
      case when has_some then claim.lease_until end, is_repeat), owned, refused, is_repeat)::leasehold.claim_answer;
end $$;

-- A claim as rows: what it owns, then what it was refused. In SQL a lost lock is an error.
create or replace function leasehold._claim_rows(answer leasehold.claim_answer) returns setof leasehold.claim_row
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp rows 50 as $$
begin
  if answer.outcome = 'lock_lost' then
    raise exception using errcode = 'LH001', message = answer.message;
  end if;
  return query
  select answer.claim_id, answer.token, answer.lease_until, answer.remaining_ms, o.id, o.version, true, null::text, null::text,
    null::timestamptz, o.effect_key, o.attempt, o.payload::json
  from unnest(answer.owned) o
  union all
  select answer.claim_id, answer.token, answer.lease_until, answer.remaining_ms, f.id, f.version, false, f.why, f.claimed_by,
    f.since, null, null, null
  from unnest(answer.refused) f;
end $$;
