-- What of a slice may be had, in the order of the offer: new ones, and known ones that are free. has_some: what goes
-- alone is left out.
create function leasehold._look_at_offers(
  pool text, ids text[], versions text[], from_place integer, to_place integer, has_some boolean, rows_max integer,
  last_send timestamptz, now_at timestamptz, out places integer[], out known integer[], out unknown integer[], out first_goes_alone boolean
)
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
begin
  -- Only the first one can be had alone; those behind it are for another claim.
  select array_agg(c.place order by c.place), array_agg(c.place order by c.place) filter (where c.is_known and not c.goes_alone),
    array_agg(c.place order by c.place) filter (where not c.is_known),
    coalesce((array_agg(c.goes_alone order by c.place))[1], false)
  into places, known, unknown, first_goes_alone
  from (
    select p.place, l.id is not null as is_known, coalesce(l.goes_alone, false) as goes_alone
    from generate_series(from_place, to_place) p (place)
    left join lateral (
      select r.id, leasehold._may_be_had(r, now_at) as is_free,
        r.idle_requeues >= 2 and not leasehold._must_ask_first(r, last_send) as goes_alone
      from leasehold.records r
      where r.pool = _look_at_offers.pool and r.id = ids[p.place] and r.version = coalesce(versions[p.place], '') offset 0
    ) l on true
    where l.id is null or l.is_free and not (has_some and l.goes_alone)
    order by p.place limit rows_max
  ) c;
end $$;

-- Offers to a pool without versions. taken counts what the claim has, last_place is the last offer that was looked at.
create function leasehold._take_offered(
  settings leasehold.pools, claim leasehold.claims, ids text[], versions text[], payloads text[], not_befores timestamptz[], room integer,
  namespace text, inout taken integer, inout is_alone boolean, out last_place integer
)
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
declare
  looked record;
  made record;
  from_place integer := 1;
  to_place integer;
  given integer[];
  now_at timestamptz;
  last_send timestamptz;
  waits boolean;
begin
  last_place := 0;
  while from_place <= cardinality(ids) and taken < room loop
    now_at := leasehold._now();
    last_send := leasehold._last_send(claim, settings, now_at);
    waits := last_place = 0;
    to_place := least(cardinality(ids), from_place + greatest(2 * (room - taken), 200) - 1);
    looked := leasehold._look_at_offers(claim.pool, ids, versions, from_place, to_place, taken > 0,
      case when is_alone then 10000 else room - taken end, last_send, now_at);
    if looked.first_goes_alone and taken = 0 then
      given := leasehold._take_known(claim, ids, versions, looked.places[1:1], waits, last_send, now_at);
      is_alone := cardinality(given) > 0;
      taken := cardinality(given);
      last_place := looked.places[1];
    else
      given := case when is_alone then '{}' 
        else leasehold._take_known(claim, ids, versions, looked.known, waits, last_send, now_at) end;
      made := leasehold._take_new(claim, ids, payloads, not_befores, looked.unknown, not is_alone, namespace, now_at);
      given := given || made.given;
      -- Made known by a rival between the look and the insert.
      if made.missed is not null and not is_alone then
        given := given || leasehold._take_known(claim, ids, versions, made.missed, false, last_send, now_at);
      end if;
      last_place := case when cardinality(looked.places) = room - taken then looked.places[room - taken] else to_place end;
      taken := taken + coalesce(cardinality(given), 0);
    end if;
    from_place := last_place + 1;
  end loop;
end $$;

-- A verdict names a token and no version, so one of an id is all that a claim ever gets, also where it goes on.
create function leasehold._has_other_version(claim leasehold.claims, id text, version text) returns boolean
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
begin
  return exists (select from leasehold.records r where r.pool = claim.pool and r.id = _has_other_version.id
      and r.version <> _has_other_version.version and (r.token = claim.token) is true)
    or exists (select from leasehold.former_owners f where f.pool = claim.pool and f.id = _has_other_version.id
      and f.version <> _has_other_version.version and f.token = claim.token);
end $$;

create function leasehold._arrive_together(
  settings leasehold.pools, ids text[], versions text[], payloads text[], not_befores timestamptz[], namespace text
) returns void
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
declare
  several text[] := array(select o.id from unnest(ids) o (id) group by o.id having count(*) > 1);
  offer record;
begin
  if cardinality(several) = 0 then
    return;
  end if;
  perform leasehold._lock_versions(settings.pool, several);
  for offer in
    select o.id, coalesce(o.version, '') as version, o.payload, o.not_before
    from unnest(ids, versions, payloads, not_befores) with ordinality o (id, version, payload, not_before, place)
    where o.id = any(several) order by o.place
  loop
    if not exists (select from leasehold.records r
      where r.pool = settings.pool and r.id = offer.id and r.version = offer.version) then
      perform leasehold._arrive(settings, offer.id, offer.version, offer.payload, offer.not_before, namespace,
        leasehold._now());
    end if;
  end loop;
end $$;

-- Offers to a pool that has versions: one by one, since each may change what becomes of the next.
create function leasehold._take_versioned(
  settings leasehold.pools, claim leasehold.claims, ids text[], versions text[], payloads text[], not_befores timestamptz[],
  room integer, namespace text, inout taken integer, inout is_alone boolean, out last_place integer
)
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
declare
  r leasehold.records;
  now_at timestamptz;
  last_send timestamptz;
begin
  last_place := 0;
  -- Of an id that is offered in several versions all arrive first: the newest of them is the one to work.
  perform leasehold._arrive_together(settings, ids, versions, payloads, not_befores, namespace);
  while last_place < cardinality(ids) and taken < room loop
    if last_place % 200 = 0 then
      perform leasehold._lock_versions(claim.pool, ids[last_place + 1:last_place + 200]);
      now_at := leasehold._now();
      last_send := leasehold._last_send(claim, settings, now_at);
    end if;
    last_place := last_place + 1;
    select k.* into r from leasehold.records k
    where k.pool = claim.pool and k.id = ids[last_place] and k.version = coalesce(versions[last_place], '');
    if r.id is null then
      perform leasehold._arrive(settings, ids[last_place], coalesce(versions[last_place], ''), payloads[last_place],
        not_befores[last_place], namespace, now_at);
      select k.* into r from leasehold.records k
      where k.pool = claim.pool and k.id = ids[last_place] and k.version = coalesce(versions[last_place], '') for no key update;
    end if;
    continue when not coalesce(leasehold._may_be_had(r, now_at), false);
    continue when leasehold._has_other_version(claim, ids[last_place], r.version);
    continue when taken > 0 and (is_alone or r.idle_requeues >= 2) and not leasehold._must_ask_first(r, last_send);
    if leasehold._take_one(r, claim, last_send, now_at) then
      taken := taken + 1;
      is_alone := is_alone or r.idle_requeues >= 2;
    end if;
  end loop;
end $$;

-- Why each offer that the claim isn't given was refused, in the order of the offer. paused: its pool is. free: of a repeat,
-- which takes nothing, why it isn't given what it could have.
create function leasehold._refusals(
  claim leasehold.claims, ids text[], versions text[], last_place integer, is_alone boolean, paused boolean,
  free text default null
) returns leasehold.refused_record[]
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
declare
  now_at timestamptz := leasehold._now();
begin
  return array(
    select row(ids[p.place], coalesce(versions[p.place], ''), y.why,
      case when y.why = 'claimed' and l.state = 'claimed' then l.holder end,
      case when y.why = 'claimed' then case when l.state = 'claimed' then l.claimed_at else now_at end when y.why = 'not_before' then l.not_before
        when y.why in ('done', 'failed', 'review', 'cancelled') then l.updated_at end)::leasehold.refused_record
    from generate_series(1, cardinality(ids)) p (place)
    left join lateral (
      select r.*, (select c.holder from leasehold.claims c where c.token = r.token) as holder from leasehold.records r
      where not paused and p.place <= last_place
        and r.pool = claim.pool and r.id = ids[p.place] and r.version = coalesce(versions[p.place], '') offset 0
    ) l on true
    cross join lateral (
      select case
        when paused then 'paused'
        when p.place > last_place then 'over_limit'
        when l.state = 'claimed' and l.token = claim.token then 'ask_first'
        when l.state <> 'queued' then l.state
        when l.waits then 'earlier_version'
        when l.not_before > now_at then 'not_before'
        when free is not null then free
        when leasehold._has_other_version(claim, l.id, l.version) then 'earlier_version'
        when is_alone or l.idle_requeues >= 2 then 'alone'
        -- Being taken now, by a call that has not ended: whose it is can't be seen yet.
        when l.id is not null then 'claimed'
        else 'over_limit' end as why
    ) y
    where not coalesce(l.state = 'claimed' and l.token = claim.token and l.unknown_at is null
      and not (l.is_begun and claim.explicit_begin), false)
    order by p.place);
end $$;
