-- leasehold.work: verdicts and begins of one pool in one call, all durable when it answers. The ordinary ones are written
-- together; what is not ordinary goes one by one, with the same answers. Two calls never wait for each other's records
-- crosswise: rows are locked in the order of their keys.
--
-- Mostly all are ordinary (14-plain-work.sql), and written by one update. Else this goes through them with all rows locked.

-- Many at once: all rows are locked, then the clock is read, then the ordinary ones are written by one update.
create or replace function leasehold._work_at_once(
  settings leasehold.pools, verdict_ids text[], verdict_tokens text[], verdicts text[], provider_refs text[],
  begin_ids text[], begin_tokens text[]
) returns leasehold.work_answer
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
declare
  row_ids tid[];
  wanted integer[];
  untils timestamptz[];
  now_at timestamptz;
  earliest timestamptz;
  latest timestamptz;
  answer leasehold.work_answer;
begin
  -- Each by its key, in a subquery of its own (offset 0): joined to the arrays, the planner would rather look through all
  -- claimed rows; and so the other versions of an id, and what is not ordinary, are locked in their turn as well. What is
  -- named twice is not ordinary: the first word may change what the second one comes to.
  select array_agg(p.row_id), array_agg(p.place), array_agg(p.lease_until)
  into row_ids, wanted, untils
  from (
    select l.row_id, i.place, c.lease_until, count(*) over (partition by i.place) as versions from (
      select n.*, count(*) over (partition by n.id) as times from (
        select d.id collate "C" as id, d.token, d.place::integer as place, false as is_begin, d.verdict
        from unnest(verdict_ids, verdict_tokens, verdicts) with ordinality d (id, token, verdict, place)
        union all
        select b.id collate "C", b.token, -b.place::integer, true, null
        from unnest(begin_ids, begin_tokens) with ordinality b (id, token, place)
      ) n
      order by n.id
    ) i
    cross join lateral (
      select r.ctid as row_id, r.token, r.state, r.is_begun, r.unknown_at, r.has_newer, r.send_before, r.evidence_ref
      from leasehold.records r
      where r.pool = settings.pool and r.id = i.id and (r.state not in ('done', 'cancelled') or r.token = i.token)
      order by r.version offset 0 for no key update
    ) l
    left join lateral (select k.lease_until from leasehold.claims k where i.is_begin and k.token = i.token) c on true
    where i.times = 1 and l.token = i.token and l.state = 'claimed' and not l.has_newer
      and (i.verdict = 'done' and l.evidence_ref is null or i.is_begin and not l.is_begun and l.unknown_at is null and l.send_before is null)
  ) p where p.versions = 1;
  now_at := leasehold._now();
  earliest := greatest(leasehold._after(now_at, settings.call_timeout_ms), leasehold._after(now_at, 1));
  latest := leasehold._after(now_at, 2678400000);
  with written as (
    update leasehold.records r set
      state = case when i.place > 0 then 'done' else r.state end,
      verdict = case when i.place > 0 then 'done' else r.verdict end,
      provider_ref = case when i.place > 0 then provider_refs[i.place] else r.provider_ref end,
      error = case when i.place > 0 then null else r.error end,
      unknown_at = null, asked_at = null, ask_since = null,
      send_before = case when i.place > 0 then null else r.send_before end,
      attempt = case when i.place > 0 then r.attempt else leasehold._one_more(r.attempt) end,
      is_begun = r.is_begun or i.place < 0,
      begun_at = case when i.place > 0 then r.begun_at else now_at end,
      first_begun_at = case when i.place > 0 then r.first_begun_at else coalesce(r.first_begun_at, now_at) end,
      updated_at = now_at
    from unnest(row_ids, wanted, untils) i (row_id, place, lease_until)
    where r.ctid = i.row_id and (i.place > 0 or i.lease_until between earliest and latest)
    returning i.place, r.version, r.attempt, leasehold._ms_between(now_at, i.lease_until) as remaining_ms
  )
  select array_agg(w.place), array_agg(w.version), array_agg(w.attempt), array_agg(w.remaining_ms)
  into answer.places, answer.versions, answer.attempts, answer.remaining_ms from written w;
  answer.begun_at := now_at;
  return answer;
end $$;

-- False where lists of one call don't belong together, or a word is no verdict: either would be taken for something else.
create or replace function leasehold._is_work(
  verdict_ids text[], verdict_tokens text[], verdicts text[], provider_refs text[], errors text[], permanents boolean[],
  begin_ids text[], begin_tokens text[]
) returns boolean
language sql immutable security invoker
return coalesce(
  verdicts <@ array['done', 'failed', 'unknown', 'review'] and array_position(verdicts, null) is null
  and cardinality(verdict_ids) = all (array[cardinality(verdict_tokens), cardinality(verdicts), cardinality(provider_refs),
    cardinality(errors), cardinality(permanents)])
  and cardinality(begin_ids) = cardinality(begin_tokens), false);

-- What is not ordinary, with all else that so_far has not: many with their rows locked, those that are ordinary after all at
-- once, then one by one.
create or replace function leasehold._work_thoroughly(
  pool text, verdict_ids text[], verdict_tokens text[], verdicts text[], provider_refs text[], errors text[],
  permanents boolean[], begin_ids text[], begin_tokens text[], so_far leasehold.work_answer
) returns leasehold.work_answer
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
declare
  settings leasehold.pools;
  answer leasehold.work_answer := so_far;
  place integer;
  version text;
  begun record;
begin
  select p.* into settings from leasehold.pools p where p.pool = _work_thoroughly.pool;
  if settings.pool is null then
    settings := leasehold._unknown_pool(pool);
  end if;
  if cardinality(verdict_ids) > 1 or cardinality(begin_ids) > 1 then
    answer := leasehold._work_at_once(settings, verdict_ids, verdict_tokens, verdicts, provider_refs, begin_ids, begin_tokens);
  end if;
  foreach place in array leasehold._places_left(verdict_ids, begin_ids, answer.places) loop
    if place > 0 then
      version := case when verdicts[place] = 'done'
        then leasehold._done_plain(settings.pool, verdict_ids[place], verdict_tokens[place], provider_refs[place]) end;
      answer.others := answer.others || case when version is not null
        then row(false, place, 'accepted', verdict_ids[place], version, 'done', null, null, null, null, null, null)::leasehold.work_row
        else leasehold._verdict_one(settings, place, row(verdict_ids[place], verdict_tokens[place], verdicts[place],
          provider_refs[place], leasehold._kept_error(errors[place]), permanents[place])::leasehold._verdict) end;
    else
      begun := leasehold._begin_plain(settings.pool, begin_ids[-place], begin_tokens[-place]);
      answer.others := answer.others || case when begun.version is not null
        then row(true, -place, 'accepted', begin_ids[-place], begun.version, null, null, begun.attempt, begun.at,
          leasehold._ms_between(begun.at, begun.lease_until), null, null)::leasehold.work_row
        else leasehold._begin_one(settings, -place, begin_ids[-place], begin_tokens[-place]) end;
    end if;
  end loop;
  return answer;
end $$;

-- What was not answered yet. Of one verdict and one begin in the order of their keys, since neither is locked; else verdicts first.
create or replace function leasehold._places_left(verdict_ids text[], begin_ids text[], answered integer[]) returns integer[]
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
begin
  return array(
    select p.place from (
      select generate_series(1, cardinality(verdict_ids)) as place
      union all
      select -generate_series(1, cardinality(begin_ids))
    ) p
    where p.place <> all(coalesce(answered, '{}'))
    order by case when cardinality(verdict_ids) = 1 and cardinality(begin_ids) = 1 and begin_ids[1] collate "C" < verdict_ids[1]
      then p.place > 0 else p.place < 0 end, abs(p.place));
end $$;

-- leasehold.work: what the library calls.
--   shared_tokens  of begins and verdicts that don't come from the claim's own handle
--   verdicts    done | failed | unknown | review; permanents with failed
-- Names, ids and references are checked by the caller. Errors: LH002; LH003 with begins.
create or replace function leasehold.work(
  pool text, verdict_ids text[], verdict_tokens text[], verdicts text[], provider_refs text[], errors text[],
  permanents boolean[], begin_ids text[], begin_tokens text[], shared_tokens text[] default null
) returns leasehold.work_answer
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp set lock_timeout = '2s'
set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
declare
  answer leasehold.work_answer;
begin
  if not leasehold._is_work(verdict_ids, verdict_tokens, verdicts, provider_refs, errors, permanents, begin_ids, begin_tokens) then
    perform leasehold._refuse(
      'work: each verdict is done, failed, unknown or review, and the lists of verdicts and of begins are each of one length');
  end if;
  if cardinality(begin_ids) > 0 and leasehold._is_in_transaction() then
    perform leasehold._refuse_in_transaction('begin');
  end if;
  if shared_tokens is not null then
    perform leasehold._note_shared(pool, shared_tokens);
  end if;
  if 'done' = all (verdicts) then
    if cardinality(verdict_ids) > 1 or cardinality(begin_ids) > 1 then
      answer := leasehold._work_plainly(pool, verdict_ids, verdict_tokens, provider_refs, begin_ids, begin_tokens);
    else
      answer := leasehold._work_of_one(pool, verdict_ids, verdict_tokens, provider_refs, begin_ids, begin_tokens);
    end if;
    if cardinality(answer.places) = cardinality(verdict_ids) + cardinality(begin_ids) then
      return answer;
    end if;
  end if;
  return leasehold._work_thoroughly(pool, verdict_ids, verdict_tokens, verdicts, provider_refs, errors, permanents, begin_ids,
    begin_tokens, answer);
end $$;

-- Nothing is made for a verdict: a pool that nothing has touched has no record.
create or replace function leasehold._unknown_pool(pool text) returns leasehold.pools
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
declare
  settings leasehold.pools;
begin
  settings.pool := leasehold._check_text(pool, 'pool name', 255);
  settings.attempts := 5;
  settings.call_timeout_ms := 0;
  return settings;
end $$;
