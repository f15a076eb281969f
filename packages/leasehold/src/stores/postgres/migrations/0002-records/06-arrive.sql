-- Arrivals: records that become known by an enqueue or a claim.

-- domain/records/effect-key.ts: a UUID of version 8 from the SHA-256 of what JSON.stringify makes of the parts. The parts
-- are joined here because json_build_array puts a space after each comma.
create function leasehold._effect_key(namespace text, pool text, id text, version text) returns text
language sql immutable security invoker
return (
  select encode(set_byte(set_byte(d.digest, 6, get_byte(d.digest, 6) & 15 | 128), 8, get_byte(d.digest, 8) & 63 | 128), 'hex')::uuid::text
  from (select substr(sha256(convert_to('["leasehold",' || to_json(namespace)::text || ',' || to_json(pool)::text || ','
    || to_json(id)::text || ',' || to_json(version)::text || ']', 'UTF8')), 1, 16) as digest) d);

-- The pool's row, made where there is none.
create function leasehold._pool_row(pool text) returns leasehold.pools
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

create function leasehold._check_keys(ids text[], versions text[]) returns void
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
-- other arrival in the pool; without one the key itself is enough. Ends with the transaction.
create function leasehold._take_turn_to_arrive(settings leasehold.pools, versions text[]) returns leasehold.pools
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
declare
  is_versioned boolean := exists (select from unnest(versions) v where v <> '');
begin
  if not is_versioned then
    perform pg_advisory_xact_lock_shared(hashtextextended(settings.pool, 7236816));
  else
    perform pg_advisory_xact_lock(hashtextextended(settings.pool, 7236816));
    update leasehold.pools p set is_versioned = true where p.pool = settings.pool and not p.is_versioned;
  end if;
  select p.* into settings from leasehold.pools p where p.pool = settings.pool;
  return settings;
end $$;

-- Every version of these ids that arrivals judge, locked in the order of the keys.
create function leasehold._lock_versions(pool text, ids text[]) returns void
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
begin
  perform from (select distinct i.id collate "C" as id from unnest(ids) i (id) order by 1) o
  cross join lateral (
    select from leasehold.records r
    where r.pool = _lock_versions.pool and r.id = o.id and r.state not in ('done', 'cancelled')
    order by r.version for no key update
  ) l;
end $$;

-- One version that is not known, in a pool that has versions; the others of its id are locked. An older one that was
-- never begun is cancelled; for one that was, or is under way, the new one waits.
create function leasehold._arrive(
  settings leasehold.pools, no bigint, new_id text, new_version text, payload text, not_before timestamptz, namespace text,
  now_at timestamptz, out added integer, out superseded integer
)
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
declare
  older leasehold.records;
  has_to_wait boolean := false;
begin
  superseded := 0;
  for older in
    select r.* from leasehold.records r
    where r.pool = settings.pool and r.id = new_id and r.version <> new_version and r.state in ('queued', 'claimed', 'review')
    order by r.no
  loop
    if older.state = 'queued' and older.attempt = 0 then
      update leasehold.records c set state = 'cancelled', waits = false, error = 'superseded by a newer version',
        updated_at = now_at
      where c.pool = older.pool and c.id = older.id and c.version = older.version;
      superseded := superseded + 1;
    else
      has_to_wait := true;
      update leasehold.records o set has_newer = true
      where o.pool = older.pool and o.id = older.id and o.version = older.version and not o.has_newer;
    end if;
  end loop;
  insert into leasehold.records (no, pool, id, version, effect_key, waits, not_before, payload, created_at, updated_at)
  values (_arrive.no, settings.pool, new_id, new_version, leasehold._effect_key(namespace, settings.pool, new_id, new_version),
    has_to_wait, _arrive.not_before, _arrive.payload::json, now_at, now_at)
  on conflict do nothing;
  get diagnostics added = row_count;
end $$;

-- What of an offer to a pool with versions is not known: numbered as it is offered, and made known one id after the other in
-- the order of the keys, each with the other versions of its id locked. So two calls never wait for each other crosswise,
-- whatever the order of their offers, and what is known already is waited for by nobody.
create function leasehold._arrive_in_order(
  settings leasehold.pools, ids text[], versions text[], payloads text[], not_befores timestamptz[], places integer[],
  namespace text, out added integer, out superseded integer
)
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
declare
  offer record;
  came record;
  locked_id text;
  now_at timestamptz;
begin
  added := 0;
  superseded := 0;
  for offer in
    select n.* from (
      select o.*, nextval('leasehold.records_no_seq') as no from (
        select ids[p.place] collate "C" as id, coalesce(versions[p.place], '') as version, payloads[p.place] as payload,
          not_befores[p.place] as not_before
        from unnest(places) p (place)
        where not leasehold._is_known(settings.pool, ids[p.place], versions[p.place])
        order by p.place
      ) o
    ) n
    order by n.id, n.no
  loop
    if locked_id is distinct from offer.id then
      perform leasehold._lock_versions(settings.pool, array[offer.id]);
      locked_id := offer.id;
      now_at := leasehold._now();
    end if;
    -- Given twice, or made known by a rival meanwhile.
    continue when leasehold._is_known(settings.pool, offer.id, offer.version);
    came := leasehold._arrive(settings, offer.no, offer.id, offer.version, offer.payload, offer.not_before, namespace, now_at);
    added := added + came.added;
    superseded := superseded + came.superseded;
  end loop;
end $$;

create function leasehold._is_known(pool text, id text, version text) returns boolean
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
begin
  return exists (select from leasehold.records r
    where r.pool = _is_known.pool and r.id = _is_known.id and r.version = coalesce(_is_known.version, ''));
end $$;
