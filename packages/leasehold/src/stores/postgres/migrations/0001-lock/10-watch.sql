-- What nobody asks for is noticed here: no run got through, and a lease that is nearly over. Each is told once.

-- What of the lease had passed, in ms: domain/watch.ts.
create function leasehold._elapsed_of_lease(state leasehold.locks, at timestamptz) returns bigint
language plpgsql immutable security invoker set search_path = pg_catalog, pg_temp as $$
begin
  return coalesce(leasehold._ms_between(coalesce(state.renewed_at, state.since), at),
    state.lease_ms - leasehold._ms_between(at, state.lease_until));
end $$;

-- domain/watch.ts, nearEndLevel: 80, 50 or null. What was told since the grant or the latest renewal isn't told again.
create function leasehold._part_of_lease(state leasehold.locks, at timestamptz) returns integer
language plpgsql immutable security invoker set search_path = pg_catalog, pg_temp as $$
declare
  elapsed_ms bigint := leasehold._elapsed_of_lease(state, at);
begin
  return case when elapsed_ms * 10 >= state.lease_ms * 8 then 80 when elapsed_ms * 2 >= state.lease_ms then 50 else 0 end;
end $$;

create function leasehold._near_end_level(state leasehold.locks, now_at timestamptz) returns integer
language plpgsql immutable security invoker set search_path = pg_catalog, pg_temp as $$
declare
  level integer;
begin
  if state.token is null or state.drain_until is not null or not coalesce(state.lease_ms > 0, false)
    or not coalesce(state.lease_until > now_at, false) then
    return null;
  end if;
  level := leasehold._part_of_lease(state, now_at);
  return case when level > coalesce(leasehold._part_of_lease(state, state.near_end_told_at), 0) then level end;
end $$;

create function leasehold._message_near_end(state leasehold.locks, level integer, how text, now_at timestamptz) returns text
language plpgsql stable security invoker set search_path = pg_catalog, pg_temp as $$
begin
  return format('Lock "%s" %s %s %% of its lease %s(%s of %s) by run %s of holder %s; %sfor a longer lease: leasehold advise %s',
    state.name,
    case how when 'held' then 'is held past' when 'renewed' then 'was renewed only past' else 'was released only past' end,
    level, case how when 'held' then 'without a renewal ' else '' end,
    leasehold._duration(leasehold._elapsed_of_lease(state, now_at)),
    leasehold._duration(state.lease_ms), coalesce(nullif(state.run_id, ''), 'unknown'), coalesce(nullif(state.holder, ''), 'unknown'),
    case how when 'held' then format('the lease ends %s; ', leasehold._iso(state.lease_until)) else '' end,
    leasehold._shell_word(state.name));
end $$;

-- True where it had to be told, and was. The ordinary renewal and release come early and end at the first comparison.
create function leasehold._tell_near_end(state leasehold.locks, how text, now_at timestamptz) returns boolean
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
declare
  level integer;
begin
  if leasehold._elapsed_of_lease(state, now_at) * 2 < state.lease_ms then
    return false;
  end if;
  level := leasehold._near_end_level(state, now_at);
  if level is null then
    return false;
  end if;
  perform leasehold._event('lease.near_end', 'warning', state.name, state.run_id, state.holder,
    leasehold._message_near_end(state, level, how, now_at),
    jsonb_build_object('level', level, 'elapsedMs', leasehold._elapsed_of_lease(state, now_at),
      'leaseMs', state.lease_ms), now_at);
  return true;
end $$;

-- How many starts were skipped since the latest one that had the lock, looking at the newest 100 only: those stay
-- whatever retention takes.
create function leasehold._skipped_since_run(lock_name text) returns bigint
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
begin
  return (
    with newest as (
      select r.seq, r.outcome, r.fence from leasehold.runs r where r.lock = lock_name order by r.seq desc limit 100
    )
    select count(*) from newest n
    where n.outcome = 'skipped' and n.seq > coalesce((select max(m.seq) from newest m where m.fence is not null), 0));
end $$;

create function leasehold._message_none_in_interval(state leasehold.locks, skipped bigint) returns text
language plpgsql stable security invoker set search_path = pg_catalog, pg_temp as $$
begin
  return format('No run of lock "%s" got through in 3 intervals of its schedule (%s, %s): %s; %s; ', state.name,
    coalesce(state.schedule, 'unknown'), coalesce(state.timezone, 'unknown'),
    coalesce('the latest one started ' || leasehold._iso(state.since), 'none is recorded'),
    case when skipped = 0 then 'no start was skipped since, so look at its scheduler'
      when skipped = 1 then '1 start was skipped since'
      when skipped < 100 then skipped || ' starts were skipped since'
      else 'at least 100 starts were skipped since' end)
    || case when state.paused_at is null then format('to see why: leasehold why %s', leasehold._shell_word(state.name))
      else format('it is paused since %s; to go on: leasehold resume %s', leasehold._iso(state.paused_at),
        leasehold._shell_word(state.name)) end;
end $$;

-- The run of the event is the latest that got through: one episode, one run.
create function leasehold._tell_overdue(state leasehold.locks, now_at timestamptz) returns boolean
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
declare
  skipped bigint;
begin
  if not coalesce(state.overdue_at <= now_at, false) or state.overdue_at is not distinct from state.overdue_told then
    return false;
  end if;
  skipped := leasehold._skipped_since_run(state.name);
  perform leasehold._event('run.none_in_interval', case when state.paused_at is null then 'critical' else 'warning' end,
    state.name, state.run_id, state.holder, leasehold._message_none_in_interval(state, skipped),
    jsonb_build_object('since', leasehold._iso(state.since), 'overdueAt', leasehold._iso(state.overdue_at),
      'skipped', skipped, 'pausedAt', leasehold._iso(state.paused_at)), now_at);
  return true;
end $$;

-- leasehold.watch: tells, once each, of locks whose schedule had three planned starts without a run that got through
-- (run.none_in_interval), and of leases that are past 50 % and 80 % without a renewal (lease.near_end). At most
-- page_limit locks a call, 1 to 100. Whoever calls it often gets to know in time; it waits for no row: one that is
-- busy is looked at next time. raised counts the events; is_complete is false where more locks may be waiting.
create function leasehold.watch(page_limit integer default 100) returns leasehold.watch_answer
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  locks_max integer := least(greatest(coalesce(page_limit, 100), 1), 100);
  looked_at timestamptz := leasehold._now();
  looked integer := 0;
  candidate text;
  state leasehold.locks;
  now_at timestamptz;
  tells_overdue boolean;
  tells_near_end boolean;
  answer leasehold.watch_answer;
begin
  answer.raised := 0;
  for candidate in
    select w.name from (
      (select l.name from leasehold.locks l
        where l.overdue_at is distinct from l.overdue_told and l.overdue_at <= looked_at
        order by l.overdue_at limit locks_max)
      union
      (select l.name from leasehold.locks l
        where l.token is not null and l.lease_until > looked_at
          and l.lease_until - l.lease_ms * interval '0.5 milliseconds' <= looked_at
          and leasehold._near_end_level(l, looked_at) is not null
        limit locks_max)
    ) w order by w.name limit locks_max
  loop
    looked := looked + 1;
    select l.* into state from leasehold.locks l where l.name = candidate for no key update skip locked;
    continue when state.name is null;
    now_at := leasehold._now();
    tells_overdue := leasehold._tell_overdue(state, now_at);
    tells_near_end := leasehold._tell_near_end(state, 'held', now_at);
    update leasehold.locks l set overdue_told = case when tells_overdue then l.overdue_at else l.overdue_told end,
      near_end_told_at = case when tells_near_end then now_at else l.near_end_told_at end
    where l.name = candidate and (tells_overdue or tells_near_end);
    answer.raised := answer.raised + tells_overdue::integer + tells_near_end::integer;
  end loop;
  answer.is_complete := looked < locks_max;
  return answer;
end $$;
