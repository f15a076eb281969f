-- Arrivals: records that become known by an enqueue or a claim.

-- domain/records/effect-key.ts: a UUID of version 8 from the SHA-256 of what JSON.stringify makes of the parts. The parts
-- are joined here because json_build_array puts a space after each comma.
create or replace function leasehold._effect_key(namespace text, pool text, id text, version text) returns text
language sql immutable security invoker
return (
  select encode(set_byte(set_byte(d.digest, 6, get_byte(d.digest, 6) & 15 | 128), 8, get_byte(d.digest, 8) & 63 | 128), 'hex')::uuid::text
  from (select substr(sha256(convert_to('["leasehold",' || to_json(namespace)::text || ',' || to_json(pool)::text || ','
    || to_json(id)::text || ',' || to_json(version)::text || ']', 'UTF8')), 1, 16) as digest) d);

-- The pool's row, made where there is none.
create or replace function leasehold._pool_row(pool text) returns leasehold.pools
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
declare
  settings leasehold.pools;
begin
  select p.* into settings from leasehold.pools p where p.pool = _pool_row.pool;
  if settings.pool is null then
    perform leasehold._check_text(_pool_row.pool, 'pool name', 255);
    insert into leasehold.pools (pool, created_at) values (_pool_row.pool, leasehold._now()) on conflict do nothing;
    insert into leasehold.queue_marks (pool, low_no, scanned_at) values (_pool_row.pool, 0, '-infinity') on conflict do nothing;
    select p.* into settings from leasehold.pools p where p.pool = _pool_row.pool;
  end if;
  return settings;
end $$;

create or replace function leasehold._check_keys(ids text[], versions text[]) returns void
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
declare
  bad record;
begin
  if ids is null then
    perform leasehold._refuse('ids are missing; give an array of record ids');
  end if;
  if cardinality(ids) > 10000 then
    perform leasehold._refuse(format('%s records in one call; the limit is 10000', cardinality(ids)));
  end if;
  if array_ndims(ids) > 1 or array_ndims(versions) > 1 then
    perform leasehold._refuse('ids and versions must be arrays of one dimension');
  end if;
  if array_lower(ids, 1) <> 1 or array_lower(versions, 1) <> 1 then
    perform leasehold._refuse('ids and versions must be arrays that begin at 1');
  end if;
  if versions is not null and cardinality(versions) <> cardinality(ids) then
    perform leasehold._refuse(format('%s ids and %s versions; give each id one version, or none at all',
      cardinality(ids), cardinality(versions)));
  end if;
  for bad in
    select k.id, k.version from unnest(ids, versions) k (id, version)
    where k.id is null or octet_length(k.id) not between 1 and 1024 or octet_length(k.version) > 1024
      or k.id ~ E'[\\u0001-\\u001f\\u007f-\\u009f]' or k.version ~ E'[\\u0001-\\u001f\\u007f-\\u009f]'
    limit 1
  loop
    perform leasehold._check_text(bad.id, 'record id', 1024);
    perform leasehold._check_text(nullif(bad.version, ''), 'version', 1024);
  end loop;
end $$;

-- Two arrivals of one id must see each other, or both versions would go. Those that name a version take turns with every
-- other arrival in the pool; without one the key itself is enough. Ends with the transaction. What is known needs no turn:
-- whoever offers nothing else goes on without. is_patient: whose turn does not come within the lock time-out is told why;
-- else it goes on without one after a second, and nothing may arrive.
create or replace function leasehold._take_turn_to_arrive(
  settings leasehold.pools, ids text[], versions text[], is_patient boolean, out is_versioned boolean, out has_turn boolean,
  out has_waited boolean
)
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
declare
  names_versions boolean := exists (select from unnest(versions) v where v <> '');
begin
  has_turn := case when names_versions then pg_try_advisory_xact_lock(hashtextextended(settings.pool, 7236816))
    else pg_try_advisory_xact_lock_shared(hashtextextended(settings.pool, 7236816)) end;
  has_waited := not has_turn and leasehold._has_unknown(settings.pool, ids, versions);
  if has_waited then
    has_turn := case when is_patient then leasehold._turn_or_refusal(settings.pool, names_versions)
      else leasehold._turn_soon(settings.pool, names_versions) end;
  end if;
  if has_turn and names_versions then
    update leasehold.pools p set is_versioned = true where p.pool = settings.pool and not p.is_versioned;
  end if;
  is_versioned := names_versions or exists (select from leasehold.pools p where p.pool = settings.pool and p.is_versioned);
  if has_turn and current_setting('transaction_isolation') in ('repeatable read', 'serializable')
    and leasehold._has_unknown(settings.pool, ids, versions) then
    perform leasehold._see_all_arrivals(settings.pool, is_versioned);
  end if;
end $$;

create or replace function leasehold._wait_for_turn(pool text, names_versions boolean) returns boolean
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
begin
  if names_versions then
    perform pg_advisory_xact_lock(hashtextextended(pool, 7236816));
  else
    perform pg_advisory_xact_lock_shared(hashtextextended(pool, 7236816));
  end if;
  return true;
end $$;

create or replace function leasehold._turn_or_refusal(pool text, names_versions boolean) returns boolean
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
begin
  return leasehold._wait_for_turn(pool, names_versions);
exception
  when lock_not_available then
    raise exception using errcode = '55P03', message = format(
      'another transaction makes versions of records known to pool "%s" and has not ended; nothing was done, try again', pool);
end $$;

create or replace function leasehold._turn_soon(pool text, names_versions boolean) returns boolean
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp set lock_timeout = '1s' as $$
begin
  return leasehold._wait_for_turn(pool, names_versions);
exception
  when lock_not_available then
    return false;
end $$;

create or replace function leasehold._has_unknown(pool text, ids text[], versions text[]) returns boolean
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
begin
  return exists (
    select from unnest(ids, versions) o (id, version)
    left join lateral (
      select true as is_known from leasehold.records r
      where r.pool = _has_unknown.pool and r.id = o.id and r.version = coalesce(o.version, '') offset 0
    ) k on true
    where k.is_known is null);
end $$;

-- Every version of these ids that arrivals judge, locked in the order of the keys.
create or replace function leasehold._lock_versions(pool text, ids text[]) returns void
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
begin
  perform from (select distinct i.id collate "C" as id from unnest(ids) i (id) order by 1) o
  cross join lateral (
    select from leasehold.records r
    where r.pool = _lock_versions.pool and r.id = o.id and r.state not in ('done', 'cancelled')
    order by r.version for no key update
  ) l;
end $$;

-- What of an offer to a pool with versions is not known: numbered as it is offered, and made known in the order of the keys,
-- after all other versions of its ids were locked in that order. So two calls never wait for each other crosswise, whatever
-- the order of their offers, and what is known already is waited for by nobody. An older version that was never begun is
-- cancelled, also one of the same offer; for one that was, or is under way, the new one waits.
create or replace function leasehold._arrive_in_order(
  settings leasehold.pools, ids text[], versions text[], payloads text[], not_befores timestamptz[], places integer[],
  namespace text, out added integer, out superseded integer
)
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan as $$
declare
  unknown integer[] := leasehold._unknown_of(settings.pool, ids, versions, places);
  now_at timestamptz;
begin
  added := 0;
  superseded := 0;
  if cardinality(unknown) = 0 then
    return;
  end if;
  perform leasehold._lock_versions(settings.pool, array(select ids[u] from unnest(unknown) u));
  now_at := leasehold._now();
  -- Once more: a rival may have made some known meanwhile.
  unknown := leasehold._unknown_of(settings.pool, ids, versions, unknown);
  with offered as materialized (
    select n.*, n.no = max(n.no) over (partition by n.id) as is_newest from (
      select u.place, ids[u.place] collate "C" as id, coalesce(versions[u.place], '') as version,
        nextval('leasehold.records_no_seq') as no
      from unnest(unknown) u (place)
    ) n
  ), older as materialized (
    select l.*, l.state = 'queued' and l.attempt = 0 as is_ended from (select distinct o.id from offered o) i
    cross join lateral (
      select r.ctid as row_id, r.id, r.state, r.attempt, r.has_newer from leasehold.records r
      where r.pool = settings.pool and r.id = i.id and r.state in ('queued', 'claimed', 'review') offset 0
    ) l
  ), ended as (
    update leasehold.records c set state = 'cancelled', waits = false, error = 'superseded by a newer version',
      updated_at = now_at
    from older o where c.ctid = o.row_id and o.is_ended
    returning c.no
  ), marked as (
    update leasehold.records m set has_newer = true
    from older o where m.ctid = o.row_id and not o.is_ended and not o.has_newer
  ), made as (
    insert into leasehold.records (no, pool, id, version, effect_key, state, waits, error, not_before, payload, created_at, updated_at)
    select o.no, settings.pool, o.id, o.version, leasehold._effect_key(namespace, settings.pool, o.id, o.version),
      case when o.is_newest then 'queued' else 'cancelled' end,
      o.is_newest and exists (select from older e where e.id = o.id and not e.is_ended),
      case when not o.is_newest then 'superseded by a newer version' end, not_befores[o.place], payloads[o.place]::json,
      now_at, now_at
    from offered o order by o.id, o.no
    on conflict do nothing
    returning state
  )
  select (select count(*) from made), (select count(*) from ended) + (select count(*) from made m where m.state = 'cancelled')
  into added, superseded;
end $$;

-- Of these places those whose key nobody knows, in their order; of a key that is offered twice the first.
create or replace function leasehold._unknown_of(pool text, ids text[], versions text[], places integer[]) returns integer[]
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
begin
  return array(
    select u.place from (
      select p.place, row_number() over (
        partition by ids[p.place] collate "C", coalesce(versions[p.place], '') collate "C" order by p.place) as times
      from unnest(places) p (place)
      left join lateral (
        select true as is_known from leasehold.records r
        where r.pool = _unknown_of.pool and r.id = ids[p.place] and r.version = coalesce(versions[p.place], '') offset 0
      ) k on true
      where k.is_known is null
    ) u
    where u.times = 1 order by u.place);
end $$;
