-- Retention. What is counted never hangs on rows that it takes: skips in a row, slots and fences are the lock's own.

-- Runs of one lock that are older than `before`: never the newest 100, nor the newest 100 that ran (their fences, the
-- usual duration and the advice stand on them), nor one that has the lock or has no end.
create function leasehold._prune_runs(lock_name text, before timestamptz, rows_max integer) returns integer
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
declare
  newest bigint := (select r.seq from leasehold.runs r where r.lock = lock_name order by r.seq desc offset 99 limit 1);
  newest_that_ran bigint := (select r.seq from leasehold.runs r where r.lock = lock_name and r.fence is not null
    order by r.seq desc offset 99 limit 1);
  deleted integer;
begin
  -- The oldest are looked at, and some more than may go: so one call is bounded, and the few that must stay block nothing.
  delete from leasehold.runs r where r.seq in (
    select o.seq from (
      select d.seq, d.lock, d.token, d.fence, d.started_at, d.ended_at, d.lost_at from leasehold.runs d
      where d.lock = lock_name and d.seq < newest order by d.seq limit rows_max + 200 for update skip locked
    ) o
    where coalesce(o.ended_at, o.lost_at, o.started_at) < before
      and (o.fence is null or o.seq < newest_that_ran and coalesce(o.ended_at, o.lost_at) is not null)
      and not exists (select from leasehold.locks l where l.name = o.lock and l.token = o.token)
    order by o.seq limit rows_max);
  get diagnostics deleted = row_count;
  return deleted;
end $$;

create function leasehold._prune_events(before timestamptz, rows_max integer) returns integer
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
declare
  deleted integer;
begin
  delete from leasehold.events e where e.seq in (
    select o.seq from (
      select d.seq, d.at from leasehold.events d order by d.seq limit rows_max + 1000
    ) o
    where o.at < before
    order by o.seq limit rows_max);
  get diagnostics deleted = row_count;
  return deleted;
end $$;

-- leasehold.prune: takes old runs and events, in small batches: at most row_limit (1 to 10,000) of each and 100 locks a
-- call. It goes on where the last call stopped and rests for `every` once it is through; is_due is false while it
-- rests or another session does it, is_complete once it is through.
--   runs_kept    1 day to 100 years. The newest 100 of a lock, the newest 100 that ran, and what has no end stay anyway
--   events_kept  1 day to 100 years
-- Errors: LH002: nobody who may call this can make it forget what is younger than a day.
create function leasehold.prune(
  runs_kept interval default '90 days', events_kept interval default '365 days', every interval default '1 hour',
  row_limit integer default 1000
) returns leasehold.prune_answer
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp set lock_timeout = '2s' as $$
declare
  runs_ms bigint := leasehold._interval_ms(runs_kept, 'runs_kept', 86400000, 3155760000000);
  events_ms bigint := leasehold._interval_ms(events_kept, 'events_kept', 86400000, 3155760000000);
  every_ms bigint := leasehold._interval_ms(every, 'every', 0, 3155760000000);
  rows_max integer := least(greatest(coalesce(row_limit, 1000), 1), 10000);
  now_at timestamptz := leasehold._now();
  state leasehold.upkeep;
  next_lock text;
  pruned integer;
  answer leasehold.prune_answer := row(false, 0, 0, true);
begin
  select u.* into state from leasehold.upkeep u where u.duty = 'prune';
  if state.done_at between leasehold._after(now_at, -every_ms) and now_at
    or not pg_try_advisory_xact_lock(hashtextextended('prune', 7236816)) then
    return answer;
  end if;
  answer.is_due := true;
  answer.is_complete := false;
  answer.events := leasehold._prune_events(leasehold._after(now_at, -events_ms), rows_max);
  state.after_lock := case when state.done_at is null then coalesce(state.after_lock, '') else '' end;
  for looked in 1..100 loop
    next_lock := (select min(r.lock) from leasehold.runs r where r.lock > state.after_lock);
    exit when next_lock is null;
    pruned := leasehold._prune_runs(next_lock, leasehold._after(now_at, -runs_ms), rows_max - answer.runs);
    answer.runs := answer.runs + pruned;
    exit when answer.runs >= rows_max;
    state.after_lock := next_lock;
  end loop;
  answer.is_complete := next_lock is null and answer.events < rows_max;
  insert into leasehold.upkeep as u (duty, done_at, after_lock)
  values ('prune', case when answer.is_complete then now_at end, state.after_lock)
  on conflict (duty) do update set done_at = excluded.done_at, after_lock = excluded.after_lock;
  return answer;
end $$;
