-- leasehold.work: verdicts and begins of one pool in one call, all durable when it answers. The ordinary ones are written
-- together; whatever is not ordinary goes one by one, with the same answers. Two calls never wait for each other's records
-- crosswise: each takes them in the order of their ids.

-- The ordinary ones: done by the owner of a record that nothing waits for, and a first begin with enough of the lease
-- left. Every record that is named is locked, in the order of the keys; then the clock is read; then the ordinary ones are
-- written by one update. Answers what was done.
create function leasehold._work_at_once(
  settings leasehold.pools, verdict_ids text[], verdict_tokens text[], verdicts text[], provider_refs text[],
  begin_ids text[], begin_tokens text[]
) returns setof leasehold.work_row
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp rows 50 as $$
declare
  at tid[];
  places integer[];
  untils timestamptz[];
  now_at timestamptz;
begin
  select array_agg(l.at), array_agg(i.place), array_agg(c.lease_until)
  into at, places, untils
  from (
    select n.* from (
      select d.id, d.token, d.place::integer as place, false as is_begin, d.verdict = 'done' as is_ordinary
      from unnest(verdict_ids, verdict_tokens, verdicts) with ordinality d (id, token, verdict, place)
      union all
      select b.id, b.token, -b.place::integer, true, true from unnest(begin_ids, begin_tokens) with ordinality b (id, token, place)
    ) n order by n.id collate "C"
  ) i
  cross join lateral (
    select r.ctid as at, r.token, r.state, r.is_begun, r.unknown_at, r.has_newer, r.send_before from leasehold.records r
    where r.pool = settings.pool and r.id = i.id and (r.state not in ('done', 'cancelled') or r.token = i.token)
    order by r.version for no key update
  ) l
  left join leasehold.claims c on i.is_begin and c.token = i.token
  where i.is_ordinary and l.token = i.token and l.state = 'claimed' and not l.has_newer
    and (not i.is_begin or not l.is_begun and l.unknown_at is null and l.send_before is null);
  now_at := leasehold._now();
  return query
  with written as (
    update leasehold.records r set
      state = case when i.place > 0 then 'done' else r.state end,
      verdict = case when i.place > 0 then 'done' else r.verdict end,
      provider_ref = case when i.place > 0 then provider_refs[i.place] else r.provider_ref end,
      error = case when i.place > 0 then null else r.error end,
      unknown_at = null, asked_at = null, ask_since = null,
      send_before = case when i.place > 0 then null else r.send_before end,
      attempt = case when i.place > 0 then r.attempt else r.attempt + 1 end,
      is_begun = r.is_begun or i.place < 0,
      begun_at = case when i.place > 0 then r.begun_at else now_at end,
      first_begun_at = case when i.place > 0 then r.first_begun_at else coalesce(r.first_begun_at, now_at) end,
      updated_at = now_at
    from unnest(at, places, untils) i (at, place, lease_until)
    where r.ctid = i.at
      and (i.place > 0 or i.lease_until > now_at
        and i.lease_until >= leasehold._after(now_at, settings.call_timeout_ms)
        and i.lease_until <= leasehold._after(now_at, 2678400000))
    returning i.place, i.lease_until, r.id, r.version, r.attempt, r.provider_ref
  )
  select w.place < 0, abs(w.place), 'accepted', w.id, w.version, case when w.place > 0 then 'done' end, null::timestamptz,
    case when w.place < 0 then w.attempt end, case when w.place < 0 then now_at end,
    case when w.place < 0 then leasehold._ms_between(now_at, w.lease_until) end, null::text,
    case when w.place > 0
      then leasehold._message_verdict(leasehold._record_name(settings.pool, w.id, w.version), 'done', w.provider_ref, null, null)
      else leasehold._message_begun(leasehold._record_name(settings.pool, w.id, w.version), w.attempt) end
  from written w;
end $$;

-- One by one, by the full key: of a few items that is faster than all at once. Answers null where it is not ordinary.
create function leasehold._work_plain(settings leasehold.pools, place integer, v leasehold._verdict) returns leasehold.work_row
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
declare
  version text;
begin
  update leasehold.records r set state = 'done', verdict = 'done', provider_ref = v.provider_ref, error = null, unknown_at = null,
    asked_at = null, ask_since = null, send_before = null, updated_at = leasehold._now()
  where r.pool = settings.pool and r.id = v.id and r.token = v.token and r.state = 'claimed' and not r.has_newer
  returning r.version into version;
  if not found then
    return null;
  end if;
  return row(false, place, 'accepted', v.id, version, 'done', null, null, null, null, null,
    leasehold._message_verdict(leasehold._record_name(settings.pool, v.id, version), 'done', v.provider_ref, null, null)
  )::leasehold.work_row;
end $$;

-- The same of a begin: the row is locked, then the clock is read.
create function leasehold._begin_plain(settings leasehold.pools, place integer, id text, token text) returns leasehold.work_row
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
declare
  key_version text;
  until_at timestamptz;
  now_at timestamptz;
  attempt integer;
begin
  select r.version into key_version from leasehold.records r
  where r.pool = settings.pool and r.id = _begin_plain.id and r.token = _begin_plain.token and r.state = 'claimed'
    and not r.is_begun and r.unknown_at is null and r.send_before is null
  for no key update;
  if not found then
    return null;
  end if;
  until_at := (select c.lease_until from leasehold.claims c where c.token = _begin_plain.token);
  now_at := leasehold._now();
  if until_at is null or until_at <= now_at or until_at < leasehold._after(now_at, settings.call_timeout_ms)
    or until_at > leasehold._after(now_at, 2678400000) then
    return null;
  end if;
  update leasehold.records r set attempt = r.attempt + 1, is_begun = true, begun_at = now_at,
    first_begun_at = coalesce(r.first_begun_at, now_at), updated_at = now_at
  where r.pool = settings.pool and r.id = _begin_plain.id and r.version = key_version returning r.attempt into attempt;
  return row(true, place, 'accepted', id, key_version, null, null, attempt, now_at, leasehold._ms_between(now_at, until_at), null,
    leasehold._message_begun(leasehold._record_name(settings.pool, id, key_version), attempt))::leasehold.work_row;
end $$;

-- leasehold.work: what the library calls. Verdicts, then begins, each answered by one row: is_begin and its ordinal, from 1.
--   verdicts    done | failed | unknown | review; permanents with failed
-- Names, ids and references are checked by the caller. Errors: LH002; LH003 with begins.
create function leasehold.work(
  pool text, verdict_ids text[], verdict_tokens text[], verdicts text[], provider_refs text[], errors text[],
  permanents boolean[], begin_ids text[], begin_tokens text[]
) returns setof leasehold.work_row
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp set lock_timeout = '5s' rows 20 as $$
declare
  settings leasehold.pools;
  answer leasehold.work_row;
  answered integer[] := '{}';
  item record;
  count_all integer := cardinality(verdict_ids) + cardinality(begin_ids);
begin
  if cardinality(begin_ids) > 0 then
    perform leasehold._refuse_in_transaction('begin');
  end if;
  select p.* into settings from leasehold.pools p where p.pool = work.pool;
  if settings.pool is null then
    settings := leasehold._unknown_pool(pool);
  end if;
  -- An id that is named twice is not ordinary.
  if count_all >= 4 and count_all = (select count(distinct i) from unnest(verdict_ids || begin_ids) i) then
    for answer in
      select a.* from leasehold._work_at_once(settings, verdict_ids, verdict_tokens, verdicts, provider_refs, begin_ids,
        begin_tokens) a
    loop
      return next answer;
      answered := answered || case when answer.is_begin then -answer.ordinal else answer.ordinal end;
    end loop;
    if cardinality(answered) = count_all then
      return;
    end if;
  end if;
  -- Of one id verdicts come first; of several ids it is no matter.
  for item in
    select n.* from (
      select d.id, d.place::integer as place from unnest(verdict_ids) with ordinality d (id, place)
      union all
      select b.id, -b.place::integer from unnest(begin_ids) with ordinality b (id, place)
    ) n
    where n.place <> all(answered) order by n.id collate "C", n.place > 0 desc, abs(n.place)
  loop
    return next case when item.place > 0
      then leasehold._say(settings, item.place, row(item.id, verdict_tokens[item.place], verdicts[item.place],
        provider_refs[item.place], leasehold._kept_error(errors[item.place]), permanents[item.place])::leasehold._verdict)
      else leasehold._try_to_begin(settings, -item.place, item.id, begin_tokens[-item.place]) end;
  end loop;
end $$;

create function leasehold._try_to_begin(settings leasehold.pools, place integer, id text, token text) returns leasehold.work_row
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
declare
  answer leasehold.work_row := leasehold._begin_plain(settings, place, id, token);
begin
  return case when answer.ordinal is null then leasehold._begin_one(settings, place, id, token) else answer end;
end $$;

create function leasehold._say(settings leasehold.pools, place integer, v leasehold._verdict) returns leasehold.work_row
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
declare
  answer leasehold.work_row;
begin
  if v.verdict = 'done' then
    answer := leasehold._work_plain(settings, place, v);
  end if;
  return case when answer.ordinal is null then leasehold._verdict_one(settings, place, v) else answer end;
end $$;

-- Nothing is made for a verdict: a pool that nothing has touched has no record.
create function leasehold._unknown_pool(pool text) returns leasehold.pools
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
declare
  settings leasehold.pools;
begin
  settings.pool := leasehold._check_text(pool, 'pool name', 255);
  settings.attempts := 5;
  settings.call_timeout_ms := 0;
  return settings;
end $$;
