-- What records change of version 1, which stores have: events and alerts know pools and records. A function whose
-- arguments grow is dropped and made again, since with both a call would fit either.

alter table leasehold.events add column pool text collate "C", add column record_id text collate "C";
create index events_by_pool on leasehold.events (pool, seq) where pool is not null;
create index alerts_pending on leasehold.alerts (dedup_key) where state = 'pending';
comment on table leasehold.events is 'Append-only: skips, reclaims, losses, refusals, forced releases, requeues, reviews.';

drop function leasehold.events(text, text, integer);
alter type leasehold.event_row add attribute pool text, add attribute record_id text;
alter type leasehold.taken_alert add attribute pool text, add attribute record_id text;

drop function leasehold._refuse_in_transaction(text);
-- A rollback would take an acquired lease away while its holder believes in it. pg_current_xact_id_if_assigned()
-- is set once this transaction has written; a transaction older than 1 s is one that a caller keeps open.
-- What this misses (docs/sql-api.md): a young transaction that has only read so far.
--   judged_at  when it has to be young: now, or where a statement may take long to gather what it sends, when that began
create function leasehold._refuse_in_transaction(function_name text, judged_at timestamptz default clock_timestamp()) returns void
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
begin
  if pg_current_xact_id_if_assigned() is not null then
    raise exception using errcode = 'LH003',
      message = format('leasehold.%s was called inside a transaction that has already written', function_name),
      hint = 'Call it on its own, outside begin ... commit: a rollback would take the lease away.';
  end if;
  if judged_at - transaction_timestamp() > interval '1 second' then
    raise exception using errcode = 'LH003',
      message = format('leasehold.%s was called inside a transaction that is over 1 s old', function_name),
      hint = 'Call it on its own, outside begin ... commit: nobody sees the lease before the commit.';
  end if;
end $$;

drop function leasehold._dedup_key(text, text, text, jsonb);
-- domain/alert.ts, dedupKeyOf: kind, lock and run of the episode; of a pool kind and pool, and the record where each is
-- an episode of its own.
create function leasehold._dedup_key(
  kind text, lock text, run_id text, data jsonb, pool text default null, record_id text default null
) returns text
language plpgsql immutable security invoker set search_path = pg_catalog, pg_temp as $$
declare
  current_run jsonb := data -> 'currentRunId';
begin
  if pool is not null then
    return concat_ws(' ', kind, to_json(pool)::text, case when kind = 'effect.doubled' then to_json(record_id)::text end);
  end if;
  return concat_ws(' ', kind, to_json(lock)::text,
    case when jsonb_typeof(current_run) = 'string' then to_json(current_run #>> '{}')::text else to_json(run_id)::text end);
end $$;

drop function leasehold._event(text, text, text, text, text, text, jsonb, timestamptz);
-- Appends an event, and its alert where it is one (10-alerts.sql). All events are written here.
create function leasehold._event(
  kind text, severity text, lock text, run_id text, holder text, message text, data jsonb, at timestamptz,
  pool text default null, record_id text default null
) returns void
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
declare
  new_id bigint;
  key text;
begin
  insert into leasehold.events (at, kind, severity, lock, run_id, holder, message, data, pool, record_id)
  values (_event.at, _event.kind, _event.severity, _event.lock, _event.run_id, _event.holder, _event.message, _event.data,
    _event.pool, _event.record_id)
  returning seq into new_id;
  if not leasehold._is_alerting(_event.kind, _event.severity) then
    return;
  end if;
  key := leasehold._dedup_key(_event.kind, _event.lock, _event.run_id, _event.data, _event.pool, _event.record_id);
  -- Of a pool's alerts of one kind one is enough until somebody delivers it: a thousand records may need a person at once.
  if _event.pool is not null and exists (
    select from leasehold.alerts a where a.dedup_key = key and a.state = 'pending'
      and (a.taken_until is null or a.taken_until <= _event.at)
      and (a.attempts > 0 or a.next_attempt_at > _event.at - interval '24 hours')
  ) then
    return;
  end if;
  insert into leasehold.alerts (event_id, dedup_key, next_attempt_at) values (new_id, key, _event.at);
end $$;

-- leasehold.events: newest first; of one lock, one kind or one pool where given.
create function leasehold.events(
  lock_name text default null, kind text default null, page_limit integer default 100, pool text default null
) returns setof leasehold.event_row
language sql stable security definer set search_path = pg_catalog, pg_temp rows 100
begin atomic
  select e.seq, e.at, e.kind, e.severity, e.lock, e.run_id, e.holder, e.message, e.data, e.pool,
    e.record_id
  from leasehold.events e
  where (events.lock_name is null or e.lock = events.lock_name) and (events.kind is null or e.kind = events.kind)
    and (events.pool is null or e.pool = events.pool)
  order by e.seq desc limit least(greatest(page_limit, 1), 1000);
end;

-- leasehold.take_alerts: alerts that are due, for this deliverer alone until its lease ends; rows that another one is
-- just taking are passed by, so it never waits. A row due too late, or taken for too long, was written by a faulty
-- clock: it counts as due, and as free. Errors: LH002.
create or replace function leasehold.take_alerts(taker text, alert_limit integer default 10, lease interval default interval '1 minute')
returns setof leasehold.taken_alert
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp rows 10 as $$
declare
  now_at timestamptz := leasehold._now();
  ms bigint := leasehold._interval_ms(lease, 'lease', 1000, 300000);
begin
  perform leasehold._check_text(taker, 'taker', 1024);
  -- A look that writes nothing: most calls find nothing.
  if not exists (select from leasehold.alerts a where a.state = 'pending') then
    return;
  end if;
  perform leasehold._give_up_untried(now_at);
  return query
  with due as materialized (
    select a.event_id, a.next_attempt_at from leasehold.alerts a
    where a.state = 'pending'
      and (a.next_attempt_at <= now_at or a.next_attempt_at > leasehold._after(now_at, 3600000))
      and (a.taken_until is null or a.taken_until <= now_at or a.taken_until > leasehold._after(now_at, 300000))
      and (a.attempts > 0 or a.next_attempt_at > leasehold._after(now_at, -86400000))
    order by a.next_attempt_at, a.event_id limit least(greatest(alert_limit, 1), 100)
    for update skip locked
  ), taken as (
    update leasehold.alerts a set taken_by = taker, taken_until = leasehold._after(now_at, ms), attempts = a.attempts + 1
    from due d where a.event_id = d.event_id
    returning a.*, d.next_attempt_at as due_at
  )
  select t.alert_id, e.seq, e.at, e.kind, e.severity, e.lock, e.run_id, e.holder, e.message, e.data, t.dedup_key,
    t.attempts, t.delivered_to, e.pool, e.record_id
  from taken t join leasehold.events e on e.seq = t.event_id
  order by t.due_at, t.event_id;
end $$;

-- leasehold.prune: takes old runs, events and claims, in small batches: at most row_limit (1 to 10,000) of each and 100 locks a
-- call. It goes on where the last call stopped and rests for `every` once it is through; is_due is false while it
-- rests or another session does it, is_complete once it is through.
--   runs_kept    1 day to 100 years, also of claims that are over. The newest 100 of a lock, the newest 100 that ran, and what has no end stay anyway
--   events_kept  1 day to 100 years
-- Errors: LH002: nobody who may call this can make it forget what is younger than a day.
create or replace function leasehold.prune(
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
  claims integer;
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
  claims := leasehold._prune_claims(leasehold._after(now_at, -runs_ms), rows_max);
  state.after_lock := case when state.done_at is null then coalesce(state.after_lock, '') else '' end;
  for looked in 1..100 loop
    next_lock := (select min(r.lock) from leasehold.runs r where r.lock > state.after_lock);
    exit when next_lock is null;
    pruned := leasehold._prune_runs(next_lock, leasehold._after(now_at, -runs_ms), rows_max - answer.runs);
    answer.runs := answer.runs + pruned;
    exit when answer.runs >= rows_max;
    state.after_lock := next_lock;
  end loop;
  answer.is_complete := next_lock is null and answer.events < rows_max and claims < rows_max;
  insert into leasehold.upkeep as u (duty, done_at, after_lock)
  values ('prune', case when answer.is_complete then now_at end, state.after_lock)
  on conflict (duty) do update set done_at = excluded.done_at, after_lock = excluded.after_lock;
  return answer;
end $$;
