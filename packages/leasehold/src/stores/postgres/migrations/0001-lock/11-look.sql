-- What happened, for people and programs. None of these writes.

create function leasehold._state_name(state leasehold.locks, now_at timestamptz) returns text
language plpgsql immutable security invoker set search_path = pg_catalog, pg_temp as $$
begin
  return case
    when state.token is null or coalesce(state.drain_until <= now_at, false) then
      case when coalesce(state.free_at > now_at, false) then 'cooling' else 'free' end
    when coalesce(state.lease_until <= now_at, true) then 'stale'
    when state.drain_until is not null then 'draining'
    else 'held'
  end;
end $$;

-- The median of the newest 50 starts that ended with success, among the newest 200 that ran; null without any.
create function leasehold._usual_ms(lock_name text) returns bigint
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
begin
  return (
    select percentile_disc(0.5) within group (order by s.took_ms) from (
      select greatest(0, leasehold._ms_between(n.started_at, n.ended_at)) as took_ms from (
        select r.started_at, r.ended_at, r.status from leasehold.runs r
        where r.lock = lock_name and r.fence is not null order by r.seq desc limit 200
      ) n where n.status = 'success' and n.ended_at is not null limit 50
    ) s);
end $$;

-- leasehold.status: one lock, or all by name. state: free | cooling | held | draining | stale.
create function leasehold.status(lock_name text default null, page_limit integer default 100)
returns setof leasehold.lock_status
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp rows 10 as $$
declare
  now_at timestamptz := leasehold._now();
begin
  return query
  select l.name, s.state, s.holder, s.holder_info, s.since, leasehold._age_ms(s.since, now_at), leasehold._usual_ms(l.name),
    s.lease_until, leasehold._remaining_ms(s.lease_until, now_at), l.skips_in_row, l.last_success_at,
    case when l.next_slot_at > now_at then l.next_slot_at end, l.paused_at is not null, l.schedule, l.timezone
  from (
    select d.* from (
      select k from leasehold.locks k where status.lock_name is null or k.name = status.lock_name
      order by k.name limit least(greatest(page_limit, 1), 1000)
    ) page
    cross join lateral leasehold._drawn_in(page.k, now_at) d
  ) l
  cross join lateral (
    select f.state,
      case when f.taken then l.holder end as holder, case when f.taken then l.holder_info end as holder_info,
      case when f.taken then l.since end as since, case when f.taken then l.lease_until end as lease_until
    from (select n.state, n.state not in ('free', 'cooling') as taken
      from (select leasehold._state_name(l::leasehold.locks, now_at) as state) n) f
  ) s
  order by l.name;
end $$;

-- leasehold.marks: what a lock remembers from one run to the next; one row, of nulls where no start has touched it.
create function leasehold.marks(lock_name text) returns leasehold.lock_marks
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  answer leasehold.lock_marks;
begin
  perform leasehold._check_text(lock_name, 'lock name', 255);
  select l.last_success_slot_at, l.progress into answer from leasehold.locks l where l.name = lock_name;
  return answer;
end $$;

-- leasehold.runs: starts, newest first; of one lock or one run id where given.
create function leasehold.runs(lock_name text default null, run_id text default null, page_limit integer default 100)
returns setof leasehold.run_row
language sql stable security definer set search_path = pg_catalog, pg_temp rows 100
begin atomic
  select r.run_id, r.lock, r.outcome, r.reason, r.slot_at, r.holder, r.holder_info, r.trigger, r.fence, r.started_at,
    r.ended_at, r.status, r.lease_ms, coalesce(l.renewed_at, r.renewed_at), r.age_ms, r.previous_run_id, r.message
  from leasehold.runs r left join leasehold.locks l on l.name = r.lock and l.token = r.token
  where (runs.lock_name is null or r.lock = runs.lock_name) and (runs.run_id is null or r.run_id = runs.run_id)
  order by r.seq desc limit least(greatest(page_limit, 1), 1000);
end;

-- leasehold.events: newest first; of one lock or one kind where given.
create function leasehold.events(lock_name text default null, kind text default null, page_limit integer default 100)
returns setof leasehold.event_row
language sql stable security definer set search_path = pg_catalog, pg_temp rows 100
begin atomic
  select e.seq, e.at, e.kind, e.severity, e.lock, e.run_id, e.holder, e.message, e.data
  from leasehold.events e
  where (events.lock_name is null or e.lock = events.lock_name) and (events.kind is null or e.kind = events.kind)
  order by e.seq desc limit least(greatest(page_limit, 1), 1000);
end;
