-- The outcomes of a start, each written in the transaction of the call.

-- Notes the slot that a start names; only the newest 1,000 of a lock are kept. One that did not get the lock only
-- names it; one that did is the slot's latest run, unless it is done.
create function leasehold._write_slot(run leasehold.runs) returns void
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
begin
  insert into leasehold.slots as s (lock, slot_at, run_id, holder, started_at)
  values (run.lock, run.slot_at, run.run_id, run.holder, run.started_at)
  on conflict on constraint slots_pkey do update
    set run_id = excluded.run_id, holder = excluded.holder, started_at = excluded.started_at, ended_at = null
    where run.outcome in ('acquired', 'reclaimed') and not s.is_done;
  delete from leasehold.slots s where s.lock = run.lock and s.slot_at < (
    select k.slot_at from leasehold.slots k where k.lock = run.lock order by k.slot_at desc offset 999 limit 1);
end $$;

-- Under REPEATABLE READ a slot that another start has named since the snapshot can't be written: it is named already.
create function leasehold._name_slot(run leasehold.runs) returns void
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
begin
  if run.slot_at is null then
    return;
  end if;
  if current_setting('transaction_isolation') = 'read committed' then
    perform leasehold._write_slot(run);
    return;
  end if;
  begin
    perform leasehold._write_slot(run);
  exception
    when serialization_failure then
      return;
  end;
end $$;

create function leasehold._grant(state leasehold.locks, run leasehold.runs, probe text)
returns leasehold.acquire_answer
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
declare
  taken leasehold.locks := state;
begin
  update leasehold.locks l set
    fence = l.fence + 1, token = gen_random_uuid()::text, run_id = run.run_id, holder = run.holder,
    holder_info = run.holder_info, since = run.started_at, lease_ms = run.lease_ms,
    lease_until = leasehold._after(run.started_at, run.lease_ms), renewed_at = null, progress = null,
    grace_ms = run.grace_ms, free_at = null, drain_until = null, skips_in_row = 0,
    overdue_at = case when l.overdue_at is not null
      then greatest(l.overdue_at, leasehold._after(run.started_at, l.overdue_after_ms)) end
  where l.name = run.lock returning l.* into state;
  run.token := state.token;
  run.fence := state.fence;
  run.reason := null;
  run.told := false;
  run.counted := false;
  if run.outcome = 'reclaimed' then
    run.previous := leasehold._previous_lease(taken, probe, run.started_at);
    run.previous_run_id := taken.run_id;
    run.age_ms := leasehold._age_ms(taken.since, run.started_at);
    run.message := leasehold._message_reclaimed(run.lock, run.previous, taken.drain_until is not null, taken.token is null);
    update leasehold.runs r set lost_at = run.started_at, renewed_at = taken.renewed_at
    where r.token = taken.token and r.ended_at is null;
    perform leasehold._event('lease.reclaimed', 'warning', run.lock, run.run_id, run.holder, run.message,
      jsonb_build_object('previous', run.previous), run.started_at);
  else
    run.message := leasehold._message_acquired(run.lock, run.fence, run.lease_ms, state.lease_until);
  end if;
  perform leasehold._write_run(run);
  perform leasehold._name_slot(run);
  return leasehold._start_answer(state, run, run.started_at);
end $$;

-- A start that has proceeded before is told and no more: its row is that of the run that has, or had, the lock.
-- Any other is stored. And unless the caller will ask again for it, it is an event once and, if it was skipped
-- because a run is still running, counted once; every 3rd, 6th, 12th ... in a row is a streak.
create function leasehold._skip(
  state leasehold.locks, run leasehold.runs, seen leasehold.runs, reason text, waiting boolean
) returns leasehold.acquire_answer
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
declare
  counts boolean := reason = 'held' and not waiting and not coalesce(seen.counted, false);
  tells boolean := not waiting and (counts or not coalesce(seen.told, false));
  has_proceeded boolean := coalesce(seen.outcome in ('acquired', 'reclaimed', 'bypassed'), false);
begin
  run.outcome := 'skipped';
  run.reason := reason;
  if counts and not has_proceeded then
    update leasehold.locks l set skips_in_row = least(l.skips_in_row::bigint + 1, 2147483647)
    where l.name = run.lock returning l.skips_in_row into state.skips_in_row;
  end if;
  run.message := leasehold._message_skipped(state, reason, run.run_id, run.started_at);
  run.age_ms := leasehold._age_ms(state.since, run.started_at);
  if has_proceeded then
    return leasehold._start_answer(state, run, run.started_at);
  end if;
  run.told := tells or coalesce(seen.told, false);
  run.counted := counts or coalesce(seen.counted, false);
  perform leasehold._write_run(run);
  perform leasehold._name_slot(run);
  if tells then
    perform leasehold._event('run.skipped',
      case reason when 'hold' then 'critical' when 'held' then 'warning' else 'info' end,
      run.lock, run.run_id, run.holder, run.message,
      jsonb_build_object('reason', reason, 'currentRunId', state.run_id), run.started_at);
  end if;
  if counts and leasehold._is_skip_streak(state.skips_in_row) then
    perform leasehold._event('run.skip_streak', 'critical', run.lock, run.run_id, run.holder,
      leasehold._message_skip_streak(state, run.started_at),
      jsonb_build_object('skipsInRow', state.skips_in_row, 'currentRunId', state.run_id), run.started_at);
  end if;
  return leasehold._start_answer(state, run, run.started_at);
end $$;

-- The slot is done: said, and told once per start, as a skip is.
create function leasehold._already_ran(
  state leasehold.locks, run leasehold.runs, seen leasehold.runs, slot leasehold.slots, waiting boolean
) returns leasehold.acquire_answer
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
declare
  was_told boolean := coalesce(seen.outcome = 'already_ran' and seen.told, false);
  tells boolean := not waiting and not was_told;
  answer leasehold.acquire_answer;
begin
  run.outcome := 'already_ran';
  run.reason := null;
  run.previous_run_id := slot.run_id;
  run.message := format(
    'Already ran: slot %s of lock "%s" was done by run %s of holder %s, which ended %s; a manual rerun says again.',
    leasehold._iso(slot.slot_at), run.lock, coalesce(nullif(slot.run_id, ''), 'unknown'), coalesce(nullif(slot.holder, ''), 'unknown'),
    coalesce(leasehold._iso(slot.ended_at), 'unknown'));
  -- That it was told as a skip before doesn't say this.
  run.told := tells or was_told;
  run.counted := coalesce(seen.counted, false);
  perform leasehold._write_run(run);
  if tells then
    perform leasehold._event('run.already_ran', 'info', run.lock, run.run_id, run.holder, run.message,
      jsonb_build_object('slotAt', leasehold._iso(slot.slot_at), 'earlierRunId', slot.run_id), run.started_at);
  end if;
  answer := leasehold._start_answer(state, run, run.started_at);
  answer.earlier_run_id := slot.run_id;
  answer.earlier_holder := slot.holder;
  answer.earlier_started_at := slot.started_at;
  answer.earlier_ended_at := slot.ended_at;
  return answer;
end $$;

-- Another call of this very start is still under way, and the row is its own: told, not written.
create function leasehold._not_its_turn(run leasehold.runs) returns leasehold.acquire_answer
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
declare
  state leasehold.locks;
begin
  select l.* into state from leasehold.locks l where l.name = run.lock;
  state.name := run.lock;
  run.outcome := 'skipped';
  run.reason := 'contended';
  run.started_at := leasehold._now();
  run.message := leasehold._message_skipped(state, run.reason, run.run_id, run.started_at);
  return leasehold._start_answer(state, run, run.started_at);
end $$;

create function leasehold._bypass(run leasehold.runs, seen leasehold.runs, bypass_reason text)
returns leasehold.acquire_answer
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
declare
  state leasehold.locks;
begin
  perform leasehold._create_lock(run.lock);
  select l.* into state from leasehold.locks l where l.name = run.lock;
  run.started_at := leasehold._now();
  if seen.outcome = 'bypassed' then
    return leasehold._start_answer(state, seen, run.started_at);
  end if;
  run.outcome := 'bypassed';
  run.reason := bypass_reason;
  run.told := true;
  run.counted := false;
  run.message := format('Bypassed lock "%s" (%s): this run holds nothing; claims still protect its records.',
    run.lock, bypass_reason);
  perform leasehold._write_run(run);
  perform leasehold._event('run.bypassed', 'warning', run.lock, run.run_id, run.holder, run.message,
    jsonb_build_object('reason', bypass_reason), run.started_at);
  return leasehold._start_answer(state, run, run.started_at);
end $$;

-- What was sent, checked; with the row of the same start (run id **and** holder) where it was seen before.
create function leasehold._checked_start(
  lock_name text, lease interval, holder text, slot timestamptz, run_id text, again boolean, trigger text,
  grace interval, holder_info jsonb
) returns leasehold.runs
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
declare
  run leasehold.runs;
begin
  run.lock := leasehold._check_text(lock_name, 'lock name', 255);
  run.lease_ms := leasehold._interval_ms(lease, 'lease', 1000, 2678400000);
  run.holder := leasehold._check_text(holder, 'holder', 1024);
  run.run_id := leasehold._check_text(coalesce(run_id, gen_random_uuid()::text), 'run id', 1024);
  if slot < '1970-01-01 00:00:00+00' or slot >= '10000-01-01 00:00:00+00' then
    perform leasehold._refuse(format('slot is "%s"; it must be an instant between the years 1970 and 9999', slot));
  end if;
  -- To the millisecond, as the library has instants: else the same slot would be two.
  run.slot_at := date_trunc('milliseconds', slot);
  run.again := coalesce(again, false);
  run.trigger := case when trigger is not null then leasehold._check_text(trigger, 'trigger', 255) end;
  -- Left out: half the safety margin, the smaller of 10 s and a fifth of the lease.
  run.grace_ms := case when grace is null then least(5000, run.lease_ms / 10)
    else leasehold._interval_ms(grace, 'grace', 0, 3600000) end;
  if jsonb_typeof(holder_info) <> 'object' then
    perform leasehold._refuse('holder_info must be a JSON object');
  end if;
  run.holder_info := holder_info;
  return run;
end $$;

-- True where every argument is inside its limits and nothing special is asked: then no check has to explain anything.
create function leasehold._is_plain(
  lock_name text, holder text, run_id text, trigger text, lease interval, grace interval, holder_info jsonb,
  on_stale text, bypass_reason text
) returns boolean
language plpgsql stable security invoker set search_path = pg_catalog, pg_temp as $$
begin
  return coalesce(bypass_reason is null and on_stale in ('reclaim', 'hold')
    and octet_length(lock_name) between 1 and 255 and octet_length(holder) between 1 and 1024
    and octet_length(run_id) between 1 and 1024 and coalesce(octet_length(trigger), 1) between 1 and 255
    and concat(lock_name, holder, run_id, trigger) !~ E'[\\u0001-\\u001f\\u007f-\\u009f]'
    and lease between interval '1 second' and interval '31 days' and extract(month from lease) = 0
    and coalesce(grace between interval '0' and interval '1 hour', true)
    and coalesce(jsonb_typeof(holder_info), 'object') = 'object'
    and current_setting('transaction_isolation') = 'read committed', false);
end $$;
