-- What is done as it mostly is: the owner's done of a record that no newer version waits for, and a first begin with enough of
-- the lease left. The answer is so much the same each time that it has no words here: who called makes them of what it
-- comes with.

-- Many that are all ordinary: one update, each row found by its key in a subquery of its own (offset 0). Where one of them is
-- not, or changes meanwhile, or had to be waited for, nothing was done, and the answer is null.
--
-- The clock is read before the rows are locked, and again after: what it said first counts only where hardly any time went
-- by in between, and a begin's lease lasts for longer than that. So nobody is told to send by a clock that is older than a
-- wait. Rows are locked in the order of their keys.
create or replace function leasehold._work_plainly(
  pool text, verdict_ids text[], verdict_tokens text[], provider_refs text[], begin_ids text[], begin_tokens text[]
) returns leasehold.work_answer
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
declare
  grace constant interval := '100 milliseconds';
  ids text[] := verdict_ids || begin_ids;
  at timestamptz := leasehold._now();
  answer leasehold.work_answer;
begin
  with found as materialized (
    select l.row_id, n.place, n.provider_ref, n.lease_until from (
      select d.id collate "C" as id, d.token, d.provider_ref, d.place::integer as place, null::timestamptz as lease_until
      from unnest(verdict_ids, verdict_tokens, provider_refs) with ordinality d (id, token, provider_ref, place)
      union all
      select b.id collate "C", b.token, null, -b.place::integer, c.lease_until
      from unnest(begin_ids, begin_tokens) with ordinality b (id, token, place)
      join (select k.token, k.lease_until from leasehold.claims k where k.token = any(begin_tokens) offset 0) c on c.token = b.token
      where c.lease_until between at + grace + (select greatest(p.call_timeout_ms, 1) * interval '1 millisecond'
          from leasehold.pools p where p.pool = _work_plainly.pool)
        and at + interval '744 hours'
      order by 1
    ) n
    cross join lateral (
      select r.ctid as row_id from leasehold.records r
      where r.pool = _work_plainly.pool and r.id = n.id and (r.token = n.token) is true and r.state = 'claimed' and r.unknown_at is null
        and (n.place > 0 and not r.has_newer and r.evidence_ref is null
          or n.place < 0 and not r.is_begun and r.send_before is null)
      offset 0
    ) l
  ), written as (
    update leasehold.records r set
      state = case when i.place > 0 then 'done' else r.state end,
      verdict = case when i.place > 0 then 'done' else r.verdict end,
      provider_ref = case when i.place > 0 then i.provider_ref else r.provider_ref end,
      error = case when i.place > 0 then null else r.error end,
      asked_at = null, ask_since = null, send_before = null,
      attempt = case when i.place < 0 then leasehold._one_more(r.attempt) else r.attempt end,
      is_begun = r.is_begun or i.place < 0,
      begun_at = case when i.place > 0 then r.begun_at else at end,
      first_begun_at = case when i.place > 0 then r.first_begun_at else coalesce(r.first_begun_at, at) end,
      updated_at = at
    from found i where r.ctid = i.row_id and (select count(*) from found) = cardinality(ids)
    returning i.place, r.version, r.attempt, leasehold._ms_between(at, i.lease_until) as remaining_ms
  )
  select array_agg(w.place), array_agg(w.version), array_agg(w.attempt), array_agg(w.remaining_ms)
  into answer.places, answer.versions, answer.attempts, answer.remaining_ms from written w;
  if answer.places is null then
    return null;
  elsif cardinality(answer.places) <> cardinality(ids) or clock_timestamp() not between at and at + grace then
    raise exception using errcode = 'LH000';
  end if;
  answer.begun_at := at;
  return answer;
exception
  when sqlstate 'LH000' then
    return null;
end $$;

-- One, by its full key: of a few that is faster than all at once. Null where it is not ordinary. Rows written by hand may give
-- one token two versions of an id: a verdict then counts for one of them, and that is not ordinary.
create or replace function leasehold._done_plain(pool text, id text, token text, provider_ref text) returns text
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
declare
  version text;
begin
  update leasehold.records r set state = 'done', verdict = 'done', provider_ref = _done_plain.provider_ref, error = null,
    unknown_at = null, asked_at = null, ask_since = null, send_before = null, updated_at = leasehold._now()
  where r.pool = _done_plain.pool and r.id = _done_plain.id and (r.token = _done_plain.token) is true and r.state = 'claimed'
    and not r.has_newer and r.evidence_ref is null
    and not exists (select from leasehold.records o
      where o.pool = r.pool and o.id = r.id and o.version <> r.version and o.token = r.token and o.state = 'claimed' offset 0)
  returning r.version into version;
  return version;
end $$;

-- The same of a begin: the row is locked, then the clock is read.
create or replace function leasehold._begin_plain(
  pool text, id text, token text,
  out version text, out attempt integer, out at timestamptz, out lease_until timestamptz
)
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
declare
  row_id tid;
  call_timeout_ms bigint;
begin
  select r.ctid, c.lease_until, (select p.call_timeout_ms from leasehold.pools p where p.pool = _begin_plain.pool)
  into row_id, lease_until, call_timeout_ms
  from leasehold.records r join leasehold.claims c on c.token = r.token
  where r.pool = _begin_plain.pool and r.id = _begin_plain.id and (r.token = _begin_plain.token) is true and r.state = 'claimed'
    and not r.is_begun and r.unknown_at is null and r.send_before is null
  for no key update of r;
  at := leasehold._now();
  if lease_until > at and lease_until between at + coalesce(call_timeout_ms, 0) * interval '1 millisecond'
      and at + 2678400000 * interval '1 millisecond' then
    update leasehold.records r set attempt = leasehold._one_more(r.attempt), is_begun = true, begun_at = at,
      first_begun_at = coalesce(r.first_begun_at, at), updated_at = at
    where r.ctid = row_id returning r.version, r.attempt into version, attempt;
  end if;
end $$;

-- One verdict, a done, and one begin, or either alone: in the order of their keys, as far as they are ordinary.
create or replace function leasehold._work_of_one(
  pool text, verdict_ids text[], verdict_tokens text[], provider_refs text[], begin_ids text[], begin_tokens text[]
) returns leasehold.work_answer
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
declare
  begins_first boolean := coalesce(begin_ids[1] collate "C" < verdict_ids[1], cardinality(begin_ids) > 0);
  version text;
  begun record;
  answer leasehold.work_answer;
begin
  answer.places := '{}';
  for step in 1..cardinality(verdict_ids) + cardinality(begin_ids) loop
    if begins_first = (step = 1) then
      begun := leasehold._begin_plain(pool, begin_ids[1], begin_tokens[1]);
      exit when begun.version is null;
      answer.places := answer.places || -1;
      answer.versions := answer.versions || begun.version;
      answer.attempts := answer.attempts || begun.attempt;
      answer.remaining_ms := answer.remaining_ms || leasehold._ms_between(begun.at, begun.lease_until);
      answer.begun_at := begun.at;
    else
      version := leasehold._done_plain(pool, verdict_ids[1], verdict_tokens[1], provider_refs[1]);
      exit when version is null;
      answer.places := answer.places || 1;
      answer.versions := answer.versions || version;
      answer.attempts := answer.attempts || null::integer;
      answer.remaining_ms := answer.remaining_ms || null::bigint;
    end if;
  end loop;
  return answer;
end $$;
