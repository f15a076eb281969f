-- Claims by id. What is offered is looked at in its order until it seems to fill the claim. Of that, what is not known yet is
-- made known in the order of the keys; only for that does a claim wait for others. What is known is judged again and taken
-- where it is free now: what another transaction has locked is claimed, for all that this one can know. Why a record was
-- refused comes from a later statement: what a rival has only just written can't be seen by the first one.

-- domain/records/decide-claim.ts, without what the claim has so far. What its provider knows again now, and might not any
-- more by last_send, is left to a shorter claim, or to one that says when it begins.
create or replace function leasehold._may_be_had(r leasehold.records, last_send timestamptz, now_at timestamptz) returns boolean
language sql immutable security invoker
return r.is_free and (r.not_before is null or r.not_before <= now_at)
  and not coalesce(r.send_before >= now_at and r.send_before < last_send, false);

-- The latest instant at which what this claim takes now may be sent. With begins of their own that is asked again at each;
-- without, a call may start at any time in the lease that leaves it its time.
create or replace function leasehold._last_send(claim leasehold.claims, settings leasehold.pools, now_at timestamptz) returns timestamptz
language sql stable security invoker
return case when claim.explicit_begin then now_at
  else coalesce(claim.lease_until, leasehold._after(now_at, claim.lease_ms))
    - settings.call_timeout_ms * interval '1 millisecond' end;

-- Its provider no longer knows a second effect for a repeat, whoever sends it.
create or replace function leasehold._must_ask_first(r leasehold.records, now_at timestamptz) returns boolean
language sql immutable security invoker
return coalesce(r.send_before < now_at, false);

-- A record that is locked and may be had. A token that it still carries, as a person may have put it back in the queue, is
-- remembered as every other that it leaves. One that must be asked for is claimed and flagged, and not given. Answers whether it was given.
create or replace function leasehold._take_one(r leasehold.records, claim leasehold.claims, now_at timestamptz) returns boolean
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
declare
  asks_first boolean := leasehold._must_ask_first(r, now_at);
  begins boolean := not asks_first and not claim.explicit_begin;
begin
  if r.token is not null then
    perform leasehold._remember_owner(r, r.verdict, now_at);
  end if;
  update leasehold.records t set state = 'claimed', token = claim.token, claimed_at = now_at, updated_at = now_at,
    not_before = null, verdict = null, is_begun = begins, attempt = case when begins then leasehold._one_more(t.attempt) else t.attempt end,
    begun_at = case when begins then now_at else t.begun_at end,
    first_begun_at = case when begins then coalesce(t.first_begun_at, now_at) else t.first_begun_at end,
    unknown_at = case when asks_first then now_at end, asked_at = null, ask_since = null
  where t.pool = r.pool and t.id = r.id and t.version = r.version;
  return not asks_first;
end $$;

-- New records of a pool without versions, written as claimed at once; those that are not due are queued, and all of them
-- where gives is false. Answers the places that were given, and those that a rival made known meanwhile.
create or replace function leasehold._take_new(
  claim leasehold.claims, ids text[], payloads text[], not_befores timestamptz[], places integer[], gives boolean,
  namespace text, now_at timestamptz, out given integer[], out missed integer[]
)
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
declare
  begins boolean := not claim.explicit_begin;
begin
  with made as (
    insert into leasehold.records (no, pool, id, version, effect_key, not_before, payload, created_at, updated_at, state,
      token, claimed_at, is_begun, attempt, begun_at, first_begun_at)
    select n.no, claim.pool, n.id, '', leasehold._effect_key(namespace, claim.pool, n.id, ''),
      case when n.is_due then null else n.not_before end, n.payload::json, now_at, now_at,
      case when n.is_due then 'claimed' else 'queued' end, case when n.is_due then claim.token end,
      case when n.is_due then now_at end, n.is_due and begins, (n.is_due and begins)::integer,
      case when n.is_due and begins then now_at end, case when n.is_due and begins then now_at end
    from (
      select o.*, nextval('leasehold.records_no_seq') as no, gives and coalesce(o.not_before <= now_at, true) as is_due from (
        select u.place, ids[u.place] as id, payloads[u.place] as payload, not_befores[u.place] as not_before
        from unnest(places) u (place) order by u.place
      ) o
    ) n
    order by n.id
    on conflict do nothing
    returning id, state
  )
  select array_agg(p.place) filter (where m.state = 'claimed'), array_agg(p.place) filter (where m.id is null)
  into given, missed from unnest(places) p (place) left join made m on m.id = ids[p.place];
end $$;

-- Makes known what nobody knows: in a pool without versions it is taken at once.
create or replace function leasehold._make_known(
  settings leasehold.pools, claim leasehold.claims, ids text[], versions text[], payloads text[], not_befores timestamptz[],
  places integer[], gives boolean, namespace text, now_at timestamptz, out given integer[], out missed integer[]
)
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
begin
  if settings.is_versioned then
    perform leasehold._arrive_in_order(settings, ids, versions, payloads, not_befores, places, namespace);
  else
    select t.given, t.missed into given, missed
    from leasehold._take_new(claim, ids, payloads, not_befores, places, gives, namespace, now_at) t;
  end if;
end $$;

-- The same where another call that has not ended may be making some of them known. Pieces are halved where they wait for
-- that, doubled where they don't, and what waits alone is busy: it is left to that call. No wait is long enough for a
-- deadlock. A second after the first one, which sets until_at for the whole call, nothing more is tried.
create or replace function leasehold._make_known_in_pieces(
  settings leasehold.pools, claim leasehold.claims, ids text[], versions text[], payloads text[], not_befores timestamptz[],
  places integer[], gives boolean, namespace text, now_at timestamptz,
  inout until_at timestamptz, out given integer[], out missed integer[], out busy integer[]
)
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp set lock_timeout = '2ms' as $$
declare
  next_place integer := 1;
  size integer := cardinality(places);
  came record;
begin
  while next_place <= cardinality(places) and coalesce(clock_timestamp() < until_at, true) loop
    begin
      came := leasehold._make_known(settings, claim, ids, versions, payloads, not_befores, places[next_place:next_place + size - 1],
        gives, namespace, now_at);
      given := given || came.given;
      missed := missed || came.missed;
      next_place := next_place + size;
      size := 2 * size;
    exception
      when lock_not_available then
        until_at := coalesce(until_at, clock_timestamp() + interval '1 second');
        if size = 1 then
          busy := busy || places[next_place];
          next_place := next_place + 1;
        end if;
        size := greatest(1, size / 2);
    end;
  end loop;
end $$;

-- A call that has nothing yet waits for others, for a while: most of them end at once.
create or replace function leasehold._make_known_patiently(
  settings leasehold.pools, claim leasehold.claims, ids text[], versions text[], payloads text[], not_befores timestamptz[],
  places integer[], gives boolean, namespace text, now_at timestamptz,
  inout until_at timestamptz, out given integer[], out missed integer[], out busy integer[]
)
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp set lock_timeout = '1s' as $$
begin
  select t.given, t.missed into given, missed
  from leasehold._make_known(settings, claim, ids, versions, payloads, not_befores, places, gives, namespace, now_at) t;
exception
  when lock_not_available then
    select t.* into until_at, given, missed, busy
    from leasehold._make_known_in_pieces(settings, claim, ids, versions, payloads, not_befores, places, gives, namespace,
      leasehold._now(), clock_timestamp() + interval '1 second') t;
end $$;

-- Known records that are free and that nobody has locked become the claim's. Answers the places that were given.
create or replace function leasehold._take_known(
  claim leasehold.claims, ids text[], places integer[], last_send timestamptz, now_at timestamptz, out given integer[]
)
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
declare
  begins boolean := not claim.explicit_begin;
begin
  given := '{}';
  if cardinality(places) is distinct from 0 and places is not null then
    with free as materialized (
      select p.place, l.row_id, l.asks_first, l.left_behind from unnest(places) p (place)
      cross join lateral (
        select r.ctid as row_id, leasehold._must_ask_first(r, now_at) as asks_first, case when r.token is not null then r end as left_behind
        from leasehold.records r
        where r.pool = claim.pool and r.id = ids[p.place] and r.version = '' and leasehold._may_be_had(r, last_send, now_at)
        for no key update skip locked
      ) l
    ), remembered as (
      select leasehold._remember_owner(f.left_behind, (f.left_behind).verdict, now_at) from free f where (f.left_behind).token is not null
    ), taken as (
      update leasehold.records t set state = 'claimed', token = claim.token, claimed_at = now_at, updated_at = now_at,
        not_before = null, verdict = null, is_begun = begins and not k.asks_first,
        attempt = case when begins and not k.asks_first then leasehold._one_more(t.attempt) else t.attempt end,
        begun_at = case when begins and not k.asks_first then now_at else t.begun_at end,
        first_begun_at = case when begins and not k.asks_first then coalesce(t.first_begun_at, now_at) else t.first_begun_at end,
        unknown_at = case when k.asks_first then now_at end, asked_at = null, ask_since = null
      from free k where t.ctid = k.row_id
      returning k.place, k.asks_first
    )
    select coalesce(array_agg(t.place), '{}') into given from taken t where not t.asks_first and (select count(*) from remembered) >= 0;
  end if;
end $$;
