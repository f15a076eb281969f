-- Pools and records, for people and programs. None of these writes.

-- Claims whose lease is over and which are not closed, the oldest first of those that wait and of those that don't.
create or replace function leasehold._expired_claims(pool text, now_at timestamptz) returns setof leasehold.claims
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp rows 100 as $$
begin
  return query select c.* from leasehold.claims c
  where c.pool = _expired_claims.pool and c.settled_at is null and c.is_asking and c.lease_until <= now_at order by c.lease_until;
  return query select c.* from leasehold.claims c
  where c.pool = _expired_claims.pool and c.settled_at is null and not c.is_asking and c.lease_until <= now_at order by c.lease_until;
end $$;

-- Records that wait for their provider's answer: begun under an expired claim, flagged, or in review and asked for.
create or replace function leasehold._count_to_ask(pool text, now_at timestamptz) returns bigint
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
begin
  return (
      select count(*) from leasehold._expired_claims(_count_to_ask.pool, now_at) c
      cross join lateral (
        select r.id from leasehold.records r
        where r.token = c.token and (r.pool = c.pool) is true and r.state = 'claimed' and r.is_begun and r.unknown_at is null
      ) l)
    + (select count(*) from leasehold.records r where r.pool = _count_to_ask.pool and r.flagged_at is not null)
    + (select count(*) from leasehold.records r
      where r.pool = _count_to_ask.pool and r.attention = 'review' and r.ask_since is not null);
end $$;

-- The newest claims with records that wait for their verdict, expired ones too, as JSON with the library's names.
create or replace function leasehold._live_claims(pool text, rows_max integer) returns jsonb
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
begin
  return (
    select coalesce(jsonb_agg(jsonb_build_object('claimId', l.claim_id, 'holder', l.holder, 'holderInfo', l.holder_info,
      'records', l.records, 'since', l.claimed_at, 'leaseUntil', l.lease_until) order by l.claimed_at desc, l.claim_id), '[]')
    from (
      select c.*, n.records from leasehold.claims c
      cross join lateral (
        select count(*) as records from leasehold.records r where r.token = c.token and (r.pool = c.pool) is true and r.state = 'claimed'
      ) n
      where c.pool = _live_claims.pool and c.settled_at is null and n.records > 0
      order by c.claimed_at desc, c.claim_id limit rows_max
    ) l);
end $$;

-- leasehold.pools: one pool, or all in the order of their names: what each is set to, how many of its records are in which
-- state, and who works them.
create or replace function leasehold.pools(pool text default null, page_limit integer default 100)
returns setof leasehold.pool_status
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp set enable_seqscan = off rows 10 as $$
declare
  now_at timestamptz := leasehold._now();
begin
  return query
  select p.pool, p.redo, p.redo_window_ms, p.attempts, p.lease_ms, p.claim_limit, p.call_timeout_ms, p.verifier::text,
    p.paused_at is not null, n.queued, n.deferred, n.claimed, leasehold._count_to_ask(p.pool, now_at), n.done, n.failed, n.review,
    n.cancelled, n.oldest_claim_at, leasehold._live_claims(p.pool, 20)
  from (
    select k.* from leasehold.pools k where pools.pool is null or k.pool = pools.pool
    order by k.pool limit least(greatest(page_limit, 1), 1000)
  ) p
  cross join lateral (
    select count(*) filter (where r.state = 'queued') as queued,
      count(*) filter (where r.state = 'queued' and not r.waits and r.not_before > now_at) as deferred,
      count(*) filter (where r.state = 'claimed') as claimed, count(*) filter (where r.state = 'done') as done,
      count(*) filter (where r.state = 'failed') as failed, count(*) filter (where r.state = 'review') as review,
      count(*) filter (where r.state = 'cancelled') as cancelled,
      min(r.claimed_at) filter (where r.state = 'claimed') as oldest_claim_at
    from leasehold.records r where r.pool = p.pool
  ) n
  order by p.pool;
end $$;

create or replace function leasehold._record_row(r leasehold.records) returns leasehold.record_row
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
declare
  claim leasehold.claims := leasehold._claim_of(r.token);
begin
  return row(r.pool, r.id, r.version, r.state, r.effect_key, r.attempt,
    coalesce(claim.holder, (select f.holder from leasehold.former_owners f
      where f.pool = r.pool and f.id = r.id and f.version = r.version order by f.until_at desc limit 1)),
    r.claimed_at, case when r.state = 'claimed' then claim.lease_until end, r.begun_at, r.provider_ref, r.error, r.not_before,
    r.updated_at, r.evidence_ref, r.evidence_at)::leasehold.record_row;
end $$;

-- leasehold.records: the records of a pool in the order of id and version; of one state or one id where given, and only
-- what comes after a key: the last one of the page before.
create or replace function leasehold.records(
  pool text, state text default null, id text default null, after_id text default null, after_version text default null,
  page_limit integer default 100
) returns setof leasehold.record_row
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp set enable_seqscan = off rows 100 as $$
declare
  rows_max integer := least(greatest(coalesce(page_limit, 100), 1), 1000);
begin
  perform leasehold._check_text(pool, 'pool name', 255);
  if state is not null and state not in ('queued', 'claimed', 'done', 'failed', 'review', 'cancelled') then
    perform leasehold._refuse(format('state is "%s"; it must be queued, claimed, done, failed, review or cancelled', state));
  end if;
  after_id := coalesce(after_id, '');
  after_version := coalesce(after_version, '');
  if id is not null then
    return query
    select d.* from (
      select r from leasehold.records r
      where r.pool = records.pool and r.id = records.id and (r.id, r.version) > (records.after_id, records.after_version)
        and (records.state is null or r.state = records.state)
      order by r.version limit rows_max
    ) k cross join lateral leasehold._record_row(k.r) d;
  elsif state in ('review', 'failed') then
    return query
    select d.* from (
      select r from leasehold.records r
      where r.pool = records.pool and r.attention = records.state and r.id >= records.after_id
        and (r.id, r.version) > (records.after_id, records.after_version)
      order by r.id, r.version limit rows_max
    ) k cross join lateral leasehold._record_row(k.r) d;
  else
    return query
    select d.* from (
      select r from leasehold.records r
      where r.pool = records.pool and (r.id, r.version) > (records.after_id, records.after_version)
        and (records.state is null or r.state = records.state)
      order by r.id, r.version limit rows_max
    ) k cross join lateral leasehold._record_row(k.r) d;
  end if;
end $$;

-- leasehold.work_times: how long the newest 100,000 records took from their claim to their verdict, in ms; of a claim's time
-- each of its records has its share.
create or replace function leasehold.work_times(pool text) returns leasehold.work_times_answer
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  answer leasehold.work_times_answer;
begin
  perform leasehold._check_text(pool, 'pool name', 255);
  with settled as (
    select n.token, greatest(0, leasehold._ms_between(n.claimed_at, n.updated_at)) as took_ms from (
      select r.token, r.claimed_at, r.updated_at from leasehold.records r
      where r.pool = work_times.pool and r.state in ('done', 'failed') and r.token is not null and r.claimed_at is not null
      order by r.no desc limit 100000
    ) n
  )
  select work_times.pool, count(*), max(s.took_ms), percentile_disc(0.5) within group (order by s.took_ms),
    percentile_disc(0.95) within group (order by s.took_ms),
    (select percentile_disc(0.95) within group (order by e.each_ms) from (
      select max(c.took_ms) / count(*) as each_ms from settled c group by c.token) e)
  into answer from settled s;
  return answer;
end $$;
