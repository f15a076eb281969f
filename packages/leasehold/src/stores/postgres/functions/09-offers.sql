-- What seems to fill the rest of a claim, in the order of the offer: known ones that are free, and with_unknown new ones.
-- has_some: what goes alone is left out. last_place: how far it looked.
create or replace function leasehold._look_at_offers(
  pool text, ids text[], versions text[], from_place integer, has_some boolean, with_unknown boolean, rows_max integer,
  last_send timestamptz, now_at timestamptz, out known integer[], out unknown integer[], out first_alone integer, out last_place integer
)
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
declare
  slice record;
  found_count integer := 0;
begin
  last_place := from_place - 1;
  while last_place < cardinality(ids) and found_count < rows_max loop
    -- Only the first one can be had alone; those behind it are for another claim.
    select array_agg(c.place) as places, array_agg(c.place) filter (where c.is_known and not c.goes_alone) as known,
      array_agg(c.place) filter (where not c.is_known) as unknown, (array_agg(c.goes_alone))[1] as first_goes_alone
    into slice
    from (
      select p.place, l.id is not null as is_known, coalesce(l.goes_alone, false) as goes_alone
      from generate_series(last_place + 1, least(cardinality(ids), last_place + greatest(2 * (rows_max - found_count), 200))) p (place)
      left join lateral (
        select r.id, leasehold._may_be_had(r, last_send, now_at) as is_free,
          r.idle_requeues >= 2 and not leasehold._must_ask_first(r, now_at) as goes_alone
        from leasehold.records r
        where r.pool = _look_at_offers.pool and r.id = ids[p.place] and r.version = coalesce(versions[p.place], '') offset 0
      ) l on true
      where l.id is null and with_unknown or l.is_free and not (has_some and l.goes_alone)
      order by p.place limit rows_max - found_count
    ) c;
    if found_count = 0 and slice.first_goes_alone then
      first_alone := slice.places[1];
      last_place := first_alone;
      return;
    end if;
    last_place := case when cardinality(slice.places) = rows_max - found_count then slice.places[rows_max - found_count]
      else least(cardinality(ids), last_place + greatest(2 * (rows_max - found_count), 200)) end;
    found_count := found_count + coalesce(cardinality(slice.places), 0);
    known := known || slice.known;
    unknown := unknown || slice.unknown;
  end loop;
end $$;

-- Offers to a pool without versions. taken counts what the claim has, holds: this call has written something already, or has
-- waited. may_arrive: what is not known may become known. last_place is the last offer that was looked at; busy: what another
-- transaction is making known.
create or replace function leasehold._take_offered(
  settings leasehold.pools, claim leasehold.claims, ids text[], versions text[], payloads text[], not_befores timestamptz[],
  room integer, namespace text, holds boolean, may_arrive boolean, inout taken integer, inout is_alone boolean,
  out last_place integer, out busy integer[]
)
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan as $$
declare
  looked record;
  made record;
  given integer[];
  now_at timestamptz;
  last_send timestamptz;
  until_at timestamptz;
begin
  last_place := 0;
  while last_place < cardinality(ids) and taken < room loop
    now_at := leasehold._now();
    last_send := leasehold._last_send(claim, settings, now_at);
    looked := leasehold._look_at_offers(claim.pool, ids, versions, last_place + 1, taken > 0,
      may_arrive and coalesce(clock_timestamp() < until_at, true), case when is_alone then 10000 else room - taken end, last_send, now_at);
    if looked.first_alone is not null then
      given := leasehold._take_known(claim, ids, array[looked.first_alone], last_send, now_at);
      is_alone := cardinality(given) > 0;
    else
      given := '{}';
      if looked.unknown is not null then
        if holds then
          made := leasehold._make_known_in_pieces(settings, claim, ids, versions, payloads, not_befores, looked.unknown, not is_alone,
            namespace, now_at, until_at);
        else
          made := leasehold._make_known_patiently(settings, claim, ids, versions, payloads, not_befores, looked.unknown, not is_alone,
            namespace, now_at, until_at);
        end if;
        until_at := made.until_at;
        busy := busy || made.busy;
        given := coalesce(made.given, '{}');
        -- Made known by a rival between the look and the insert: free, if it wasn't for itself.
        looked.known := looked.known || made.missed;
      end if;
      if not is_alone then
        given := given || leasehold._take_known(claim, ids, looked.known, last_send, now_at);
      end if;
    end if;
    holds := holds or looked.unknown is not null or cardinality(given) > 0;
    last_place := looked.last_place;
    taken := taken + cardinality(given);
  end loop;
end $$;

-- Why each offer that the claim isn't given was refused, in the order of the offer. paused: its pool is; last_send: until
-- when the claim may send. busy: what another transaction is making known; what else is unknown was not tried. free: of a
-- repeat, which takes nothing, why it isn't given what it could have.
create or replace function leasehold._refusals(
  claim leasehold.claims, ids text[], versions text[], last_place integer, is_alone boolean, paused boolean,
  is_versioned boolean, last_send timestamptz, busy integer[] default null,
  free text default null
) returns leasehold.refused_record[]
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan as $$
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
      select r.*, (select c.holder from leasehold.claims c where c.token = r.token) as holder,
        case when is_versioned and r.state = 'queued' then leasehold._comes_later(r) end as is_later
      from leasehold.records r
      where not paused and p.place <= last_place
        and r.pool = claim.pool and r.id = ids[p.place] and r.version = coalesce(versions[p.place], '') offset 0
    ) l on true
    cross join lateral (
      select case
        when paused then 'paused'
        when p.place > last_place then 'over_limit'
        when l.state = 'claimed' and l.token = claim.token then 'ask_first'
        when l.state <> 'queued' then l.state
        when l.waits or free is null and is_versioned and (l.is_later or leasehold._has_other_version(claim, l.id, l.version))
          then 'earlier_version'
        when l.not_before > now_at then 'not_before'
        when free is not null then free
        when l.send_before < last_send then 'ask_first'
        when is_alone or l.idle_requeues >= 2 then 'alone'
        -- Being taken or made known now, by a call that has not ended: whose it is can't be seen yet.
        when l.id is not null or p.place = any(busy) then 'claimed'
        else 'not_taken' end as why
    ) y
    where not coalesce(l.state = 'claimed' and l.token = claim.token and l.unknown_at is null
      and not (l.is_begun and claim.explicit_begin), false)
    order by p.place);
end $$;
