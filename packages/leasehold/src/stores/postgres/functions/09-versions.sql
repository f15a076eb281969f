-- Claims by id in a pool that has versions: what arrives may change what becomes of the others of its id.

-- A verdict names a token and no version, so one of an id is all that a claim ever gets, also where it goes on.
create or replace function leasehold._has_other_version(claim leasehold.claims, id text, version text) returns boolean
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
begin
  return exists (select from leasehold.records r where r.pool = claim.pool and r.id = _has_other_version.id
      and r.version <> _has_other_version.version and (r.token = claim.token) is true)
    or exists (select from leasehold.former_owners f where f.pool = claim.pool and f.id = _has_other_version.id
      and f.version <> _has_other_version.version and f.token = claim.token);
end $$;

-- Another version of its id is claimed, or free and older, as a person may have made it: never two of one thing at once.
create or replace function leasehold._comes_later(r leasehold.records) returns boolean
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
begin
  return exists (select from leasehold.records o where o.pool = r.pool and o.id = r.id and o.version <> r.version
    and (o.state = 'claimed' or o.is_free and o.no < r.no));
end $$;

-- Whether an offer, as it can be seen now, would be had. What isn't known is had where nothing older is under way.
create or replace function leasehold._seems_free(
  claim leasehold.claims, r leasehold.records, id text, version text, not_before timestamptz, last_send timestamptz,
  now_at timestamptz
) returns boolean
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
begin
  return case when r.id is not null
    then coalesce(leasehold._may_be_had(r, last_send, now_at), false) and not leasehold._has_other_version(claim, id, version)
      and not leasehold._comes_later(r)
    else coalesce(not_before <= now_at, true) and not exists (
      select from leasehold.records o where o.pool = claim.pool and o.id = _seems_free.id
        and (o.state in ('claimed', 'review') or o.state = 'queued' and o.attempt > 0)) end;
end $$;

-- How far the offers reach that seem to fill rows_max places, and what of them is not known: with_unknown that counts. lasts:
-- where the id of each offer comes last.
create or replace function leasehold._look_at_versions(
  claim leasehold.claims, ids text[], versions text[], not_befores timestamptz[], from_place integer, lasts integer[],
  with_unknown boolean, rows_max integer, last_send timestamptz, now_at timestamptz, out unknown integer[], out last_place integer
)
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
declare
  r leasehold.records;
  found_count integer := 0;
begin
  unknown := '{}';
  last_place := from_place - 1;
  while last_place < cardinality(ids) and found_count < rows_max loop
    last_place := last_place + 1;
    select k.* into r from leasehold.records k
    where k.pool = claim.pool and k.id = ids[last_place] and k.version = coalesce(versions[last_place], '');
    continue when r.id is null and not with_unknown;
    if r.id is null then
      unknown := unknown || last_place;
    end if;
    found_count := found_count + (not (r.id is null and lasts[last_place] > last_place) and leasehold._seems_free(claim, r,
      ids[last_place], coalesce(versions[last_place], ''), not_befores[last_place], last_send, now_at))::integer;
  end loop;
end $$;

-- What of an offer is free and locked by nobody, in its order and up to rows_max, locked. Of two versions of an id the first.
-- is_plain: nothing that goes alone, must be asked for first or still carries a token is among it.
create or replace function leasehold._free_in_order(
  claim leasehold.claims, ids text[], versions text[], from_place integer, to_place integer, rows_max integer,
  last_send timestamptz, now_at timestamptz, out row_ids tid[], out last_place integer, out is_plain boolean
)
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
begin
  select array_agg(f.row_id order by f.place), max(f.place), not bool_or(f.is_special)
  into row_ids, last_place, is_plain
  from (
    select n.* from (
      select p.place, l.row_id, l.is_special, row_number() over (partition by l.id order by p.place) as times
      from generate_series(from_place, to_place) p (place)
      cross join lateral (
        select k.ctid as row_id, k.id, k.idle_requeues >= 2 or k.token is not null or leasehold._must_ask_first(k, now_at) as is_special
        from leasehold.records k
        where k.pool = claim.pool and k.id = ids[p.place] and k.version = coalesce(versions[p.place], '')
          and leasehold._may_be_had(k, last_send, now_at)
          and not exists (select from leasehold.records o where o.pool = k.pool and o.id = k.id and o.version <> k.version
            and (o.state = 'claimed' or o.is_free and o.no < k.no or o.token = claim.token) offset 0)
          and not exists (select from leasehold.former_owners o where o.pool = k.pool and o.id = k.id and o.version <> k.version
            and o.token = claim.token offset 0)
        for no key update skip locked
      ) l
    ) n
    where n.times = 1 order by n.place limit rows_max
  ) f;
end $$;

-- Takes in the order of the offer what is free and what nobody has locked, up to room in all: mostly at once.
create or replace function leasehold._take_in_order(
  claim leasehold.claims, ids text[], versions text[], to_place integer, room integer, last_send timestamptz,
  now_at timestamptz, inout taken integer, inout is_alone boolean, inout last_place integer
)
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
declare
  r leasehold.records;
  free record;
  begins boolean := not claim.explicit_begin;
begin
  if not is_alone then
    free := leasehold._free_in_order(claim, ids, versions, last_place + 1, to_place, room - taken, last_send, now_at);
    if free.row_ids is null then
      last_place := to_place;
    elsif free.is_plain then
      update leasehold.records t set state = 'claimed', token = claim.token, claimed_at = now_at, updated_at = now_at,
        not_before = null, verdict = null, is_begun = begins, attempt = case when begins then leasehold._one_more(t.attempt) else t.attempt end,
        begun_at = case when begins then now_at else t.begun_at end,
        first_begun_at = case when begins then coalesce(t.first_begun_at, now_at) else t.first_begun_at end,
        unknown_at = null, asked_at = null, ask_since = null
      from unnest(free.row_ids) f (row_id) where t.ctid = f.row_id;
      taken := taken + cardinality(free.row_ids);
      last_place := case when taken < room then to_place else free.last_place end;
    end if;
  end if;
  while last_place < to_place and taken < room loop
    last_place := last_place + 1;
    select k.* into r from leasehold.records k
    where k.pool = claim.pool and k.id = ids[last_place] and k.version = coalesce(versions[last_place], '')
      and leasehold._may_be_had(k, last_send, now_at) for no key update skip locked;
    continue when r.id is null or leasehold._has_other_version(claim, r.id, r.version) or leasehold._comes_later(r);
    continue when taken > 0 and (is_alone or r.idle_requeues >= 2) and not leasehold._must_ask_first(r, now_at);
    if leasehold._take_one(r, claim, now_at) then
      taken := taken + 1;
      is_alone := is_alone or r.idle_requeues >= 2;
    end if;
  end loop;
end $$;

-- Offers to a pool that has versions; see leasehold._take_offered.
create or replace function leasehold._take_versioned(
  settings leasehold.pools, claim leasehold.claims, ids text[], versions text[], payloads text[], not_befores timestamptz[],
  room integer, namespace text, holds boolean, may_arrive boolean, inout taken integer, inout is_alone boolean,
  out last_place integer, out busy integer[]
)
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan as $$
declare
  lasts integer[] := array(select max(u.place) over (partition by u.id)
    from unnest(ids) with ordinality u (id, place) order by u.place);
  -- Of an id that is offered in several versions all arrive, whether there is room or not: the newest is the one to work.
  several integer[] := array(select u.place from (
    select o.place, count(*) over (partition by o.id) as times from unnest(ids) with ordinality o (id, place)) u where u.times > 1);
  looked record;
  arrived record;
  came record;
  now_at timestamptz;
  until_at timestamptz;
begin
  last_place := 0;
  while last_place < cardinality(ids) and taken < room loop
    now_at := leasehold._now();
    looked := leasehold._look_at_versions(claim, ids, versions, not_befores, last_place + 1, lasts,
      may_arrive and coalesce(clock_timestamp() < until_at, true), case when is_alone then 10000 else room - taken end, leasehold._last_send(claim, settings, now_at), now_at);
    if last_place = 0 and may_arrive then
      looked.unknown := array(select unnest(looked.unknown) union select unnest(several) order by 1);
    end if;
    if holds then
      arrived := leasehold._make_known_in_pieces(settings, claim, ids, versions, payloads, not_befores, looked.unknown, false,
        namespace, now_at, until_at);
    else
      arrived := leasehold._make_known_patiently(settings, claim, ids, versions, payloads, not_befores, looked.unknown, false,
        namespace, now_at, until_at);
    end if;
    until_at := arrived.until_at;
    busy := busy || arrived.busy;
    now_at := leasehold._now();
    came := leasehold._take_in_order(claim, ids, versions, looked.last_place, room, leasehold._last_send(claim, settings, now_at),
      now_at, taken, is_alone, last_place);
    holds := holds or cardinality(looked.unknown) > 0 or came.taken > taken;
    taken := came.taken;
    is_alone := came.is_alone;
    last_place := came.last_place;
  end loop;
end $$;
