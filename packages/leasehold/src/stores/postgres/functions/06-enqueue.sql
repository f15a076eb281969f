-- Enqueues: records made known without being claimed.

-- leasehold.enqueue_records: makes records known without claiming them; each with its own not_before. What is known stays
-- as it is. May run in a transaction of the caller's: what is rolled back was never known.
create or replace function leasehold.enqueue_records(
  pool text, ids text[], versions text[], payloads text[], not_befores timestamptz[], namespace text default ''
) returns leasehold.enqueue_answer
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
set enable_seqscan = off set lock_timeout = '2s' as $$
declare
  settings leasehold.pools := leasehold._pool_row(pool);
  now_at timestamptz;
  turn record;
  came record;
  answer leasehold.enqueue_answer := row(pool, 0, 0, 0);
begin
  perform leasehold._check_keys(ids, versions);
  perform leasehold._check_payloads(ids, payloads, not_befores, namespace);
  turn := leasehold._take_turn_to_arrive(settings, ids, versions, true);
  if not turn.has_turn then
    answer.known := cardinality(ids);
    return answer;
  end if;
  if not turn.is_versioned then
    now_at := leasehold._now();
    -- Numbered as they are given, inserted in the order of the keys: so two calls of opposite order don't wait for each other.
    -- What is known is no conflict, or it would be waited for while another call writes it.
    insert into leasehold.records (no, pool, id, version, effect_key, not_before, payload, created_at, updated_at)
    select n.no, settings.pool, n.id, '', leasehold._effect_key(namespace, settings.pool, n.id, ''), n.not_before,
      n.payload::json, now_at, now_at
    from (
      select o.*, nextval('leasehold.records_no_seq') as no from (
        select u.* from unnest(ids, payloads, not_befores) with ordinality u (id, payload, not_before, place)
        where not exists (select from leasehold.records r
          where r.pool = settings.pool and r.id = u.id and r.version = '' offset 0)
        order by u.place
      ) o
    ) n
    order by n.id
    on conflict do nothing;
    get diagnostics answer.added = row_count;
    answer.known := cardinality(ids) - answer.added;
    return answer;
  end if;
  came := leasehold._arrive_in_order(settings, ids, versions, payloads, not_befores,
    array(select generate_series(1, cardinality(ids))), namespace);
  answer.added := came.added;
  answer.known := cardinality(ids) - came.added;
  answer.superseded := came.superseded;
  return answer;
end $$;

-- leasehold.enqueue: the same from SQL.
--   ids         1 to 10,000, each 1 to 1,024 bytes
--   versions    as many, or left out: then every version is the empty one
--   payloads    as many, or left out; JSON of at most 1 MiB each, or null
--   not_before  none of them is handed out earlier
--   namespace   goes into the effect keys of new records: another one for staging than for production
-- Answers one row: added, known before, older versions that were cancelled. Errors: LH002.
create or replace function leasehold.enqueue(
  pool text, ids text[], versions text[] default null, payloads jsonb[] default null, not_before timestamptz default null,
  namespace text default ''
) returns leasehold.enqueue_answer
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  return leasehold.enqueue_records(pool, ids[:], versions[:], payloads[:]::text[],
    case when not_before is not null and ids is not null then array_fill(not_before, array[cardinality(ids)]) end, namespace);
end $$;

-- What is stored with new ids. That a payload is JSON is checked where it is stored.
create or replace function leasehold._check_payloads(ids text[], payloads text[], not_befores timestamptz[], namespace text) returns void
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
begin
  if namespace is null then
    perform leasehold._refuse('namespace is null; leave it out, or give a text');
  end if;
  if array_ndims(payloads) > 1 or array_ndims(not_befores) > 1 then
    perform leasehold._refuse('payloads and not_befores must be arrays of one dimension');
  end if;
  if array_lower(payloads, 1) <> 1 or array_lower(not_befores, 1) <> 1 then
    perform leasehold._refuse('payloads and not_befores must be arrays that begin at 1');
  end if;
  if cardinality(payloads) <> cardinality(ids) then
    perform leasehold._refuse(format('%s ids and %s payloads; give each id one payload or null, or none at all',
      cardinality(ids), cardinality(payloads)));
  end if;
  if cardinality(not_befores) <> cardinality(ids) then
    perform leasehold._refuse(format('%s ids and %s instants before which they wait; give each id one or null, or none at all',
      cardinality(ids), cardinality(not_befores)));
  end if;
  if exists (select from unnest(payloads) p where octet_length(p) > 1048576) then
    perform leasehold._refuse('a payload is longer than 1 MiB');
  end if;
  if exists (select from unnest(not_befores) n where not (n >= '0001-01-01 00:00:00+00' and n < '10000-01-01 00:00:00+00')) then
    perform leasehold._refuse('not_before must be an instant between the years 1 and 9999');
  end if;
end $$;
