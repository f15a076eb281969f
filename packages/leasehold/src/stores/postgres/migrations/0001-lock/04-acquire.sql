-- A start: lock the row, read the clock in the next statement, decide, write. One round trip, one commit.
--
-- Row locks: assert_holder keeps FOR KEY SHARE on the row until its caller commits. Skips and renewals take
-- FOR NO KEY UPDATE, which does not wait for that; only a change of owner takes FOR UPDATE and so waits for
-- the writes that a former holder asserted, at most the lock_timeout below, and then ends in a skip
-- (`contended`). 900 ms: shorter than deadlock_timeout's default, so that a start gives up before the server
-- picks a victim, which might be the holder.

create function leasehold._event(
  kind text, severity text, lock text, run_id text, holder text, message text, data jsonb, at timestamptz
) returns void
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
begin
  insert into leasehold.events (at, kind, severity, lock, run_id, holder, message, data)
  values (_event.at, _event.kind, _event.severity, _event.lock, _event.run_id, _event.holder, _event.message, _event.data);
end $$;

-- True where a start would not change the owner, as far as a look without a lock can tell.
create function leasehold._looks_taken(state leasehold.locks) returns boolean
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
begin
  return state.token is not null
    and coalesce(state.lease_until > clock_timestamp(), false)
    and coalesce(state.drain_until > clock_timestamp(), true);
end $$;

-- The row without waiting: null where another transaction has it, or where there is none yet.
create function leasehold._row_at_once(lock_name text) returns leasehold.locks
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
declare
  state leasehold.locks;
begin
  select l.* into state from leasehold.locks l where l.name = lock_name;
  if state.name is null then
    return null;
  end if;
  if leasehold._looks_taken(state) then
    select l.* into state from leasehold.locks l where l.name = lock_name for no key update skip locked;
    if leasehold._looks_taken(state) then
      return state;
    end if;
  end if;
  select l.* into state from leasehold.locks l where l.name = lock_name for update skip locked;
  return state;
end $$;

-- The row after waiting for it; null where the wait took too long or the snapshot is too old (REPEATABLE READ).
create function leasehold._row_after_wait(lock_name text) returns leasehold.locks
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp set lock_timeout = '900ms' as $$
declare
  state leasehold.locks;
begin
  -- A row that was lost (a failover to a late replica, a restore) must not let fences start again.
  insert into leasehold.locks (name, fence)
  select lock_name, coalesce(max(r.fence), 0) from leasehold.runs r where r.lock = lock_name
  on conflict do nothing;
  select l.* into state from leasehold.locks l where l.name = lock_name;
  if leasehold._looks_taken(state) then
    select l.* into state from leasehold.locks l where l.name = lock_name for no key update;
    if leasehold._looks_taken(state) then
      return state;
    end if;
  end if;
  select l.* into state from leasehold.locks l where l.name = lock_name for update;
  return state;
exception
  when lock_not_available or serialization_failure or deadlock_detected then
    return null;
end $$;

-- domain/clock-fault.ts: an end further away than a whole lease from now would jam the lock, so it is drawn in.
create function leasehold._drawn_in(state leasehold.locks, now_at timestamptz) returns leasehold.locks
language plpgsql stable security invoker set search_path = pg_catalog, pg_temp as $$
declare
  latest timestamptz := leasehold._after(now_at, state.lease_ms);
begin
  if state.token is not null and state.lease_ms > 0 and state.lease_until > latest then
    state.lease_until := latest;
    state.drain_until := case when state.drain_until is not null then least(state.drain_until, latest) end;
  end if;
  return state;
end $$;

-- The same with the row locked: written, and told as a clock.fault, once.
create function leasehold._draw_in(state leasehold.locks, now_at timestamptz) returns leasehold.locks
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
declare
  drawn leasehold.locks := leasehold._drawn_in(state, now_at);
begin
  if drawn.lease_until is not distinct from state.lease_until then
    return state;
  end if;
  update leasehold.locks l set lease_until = drawn.lease_until, drain_until = drawn.drain_until where l.name = state.name;
  perform leasehold._event('clock.fault', 'warning', state.name, state.run_id, state.holder,
    format('The lease of lock "%s" was to end at %s, further away than its whole length: a clock was ahead. It ends at %s.',
      state.name, leasehold._iso(state.lease_until), leasehold._iso(drawn.lease_until)),
    jsonb_build_object('endedAt', leasehold._iso(state.lease_until), 'leaseUntil', leasehold._iso(drawn.lease_until)), now_at);
  return drawn;
end $$;

-- domain/acquire.ts, decideAcquire: acquired | reclaimed | replay | replay_bypass | a skip's reason.
create function leasehold._decide_acquire(
  state leasehold.locks, seen leasehold.runs, on_stale text, now_at timestamptz
) returns text
language plpgsql immutable security invoker set search_path = pg_catalog, pg_temp as $$
declare
  expired boolean := coalesce(state.lease_until <= now_at, true);
  draining boolean := state.token is not null and state.drain_until > now_at and not expired;
begin
  if seen.outcome = 'bypassed' then return 'replay_bypass'; end if;
  if seen.outcome in ('acquired', 'reclaimed') then
    if seen.token is distinct from state.token or expired then return 'run_ended'; end if;
    if state.drain_until is null then return 'replay'; end if;
    return case when draining then 'draining' else 'run_ended' end;
  end if;
  if state.token is not null and state.drain_until is null then
    if not expired then return 'held'; end if;
    return case when on_stale = 'hold' then 'hold' else 'reclaimed' end;
  end if;
  if draining then return 'draining'; end if;
  if state.free_at > now_at then return 'cooling'; end if;
  return case when state.drain_until is not null then 'reclaimed' else 'acquired' end;
end $$;

create function leasehold._previous_lease(state leasehold.locks, now_at timestamptz) returns jsonb
language plpgsql stable security invoker set search_path = pg_catalog, pg_temp as $$
begin
  return jsonb_build_object(
    'holder', state.holder, 'runId', state.run_id, 'since', leasehold._iso(state.since),
    'ageMs', leasehold._age_ms(state.since, now_at), 'renewedAt', leasehold._iso(state.renewed_at),
    'progress', state.progress, 'probe', null);
end $$;

-- The row of a start: written anew, or decided anew on its own row. A start that has proceeded keeps its row: its
-- repeat may be contended while the first ask still commits.
create function leasehold._write_run(run leasehold.runs) returns void
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
begin
  insert into leasehold.runs as r (run_id, lock, holder, holder_info, trigger, slot_at, again, outcome, reason, fence, token,
    started_at, lease_ms, grace_ms, age_ms, previous_run_id, previous, told, counted, message)
  values (run.run_id, run.lock, run.holder, run.holder_info, run.trigger, run.slot_at, run.again, run.outcome,
    run.reason, run.fence, run.token, run.started_at, run.lease_ms, run.grace_ms, run.age_ms, run.previous_run_id,
    run.previous, run.told, run.counted, run.message)
  on conflict on constraint runs_start_key do update set
    holder_info = excluded.holder_info, trigger = excluded.trigger, slot_at = excluded.slot_at,
    again = excluded.again, outcome = excluded.outcome, reason = excluded.reason, fence = excluded.fence,
    token = excluded.token,
    started_at = case when excluded.outcome = 'skipped' then r.started_at else excluded.started_at end, lease_ms = excluded.lease_ms,
    grace_ms = excluded.grace_ms, age_ms = excluded.age_ms, previous_run_id = excluded.previous_run_id,
    previous = excluded.previous, told = excluded.told, counted = excluded.counted, message = excluded.message
  where r.outcome not in ('acquired', 'reclaimed', 'bypassed');
end $$;

create function leasehold._start_answer(state leasehold.locks, run leasehold.runs, now_at timestamptz)
returns leasehold.acquire_answer
language plpgsql stable security invoker set search_path = pg_catalog, pg_temp as $$
declare
  answer leasehold.acquire_answer;
begin
  answer.outcome := run.outcome;
  answer.proceed := run.outcome in ('acquired', 'reclaimed', 'bypassed');
  answer.lock := run.lock;
  answer.run_id := run.run_id;
  answer.slot_at := run.slot_at;
  answer.skips_in_row := coalesce(state.skips_in_row, 0);
  answer.missed := '{}';
  answer.message := run.message;
  answer.reason := run.reason;
  if run.token is not null then
    answer.token := run.token;
    answer.fence := run.fence;
    answer.lease_until := state.lease_until;
    answer.remaining_ms := leasehold._ms_between(now_at, state.lease_until);
  end if;
  if run.outcome = 'skipped' then
    answer.current_holder := state.holder;
    answer.current_run_id := state.run_id;
    answer.current_since := state.since;
    answer.current_age_ms := leasehold._age_ms(state.since, now_at);
    answer.current_remaining_ms := leasehold._remaining_ms(state.lease_until, now_at);
  end if;
  if run.previous is not null then
    answer.previous_holder := run.previous ->> 'holder';
    answer.previous_run_id := run.previous ->> 'runId';
    answer.previous_since := run.previous ->> 'since';
    answer.previous_age_ms := run.previous ->> 'ageMs';
    answer.previous_renewed_at := run.previous ->> 'renewedAt';
    answer.previous_progress := run.previous ->> 'progress';
    answer.previous_probe := run.previous ->> 'probe';
  end if;
  return answer;
end $$;

create function leasehold._run_of_start(run leasehold.runs) returns leasehold.runs
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
begin
  return (select r from leasehold.runs r where r.lock = run.lock and r.run_id = run.run_id and r.holder = run.holder);
end $$;

create function leasehold._grant(state leasehold.locks, run leasehold.runs)
returns leasehold.acquire_answer
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
declare
  taken leasehold.locks := state;
begin
  update leasehold.locks l set
    fence = l.fence + 1, token = gen_random_uuid()::text, run_id = run.run_id, holder = run.holder,
    holder_info = run.holder_info, since = run.started_at, lease_ms = run.lease_ms,
    lease_until = leasehold._after(run.started_at, run.lease_ms), renewed_at = null, progress = null,
    grace_ms = run.grace_ms, free_at = null, drain_until = null, skips_in_row = 0
  where l.name = run.lock returning l.* into state;
  run.token := state.token;
  run.fence := state.fence;
  run.reason := null;
  run.told := false;
  run.counted := false;
  if run.outcome = 'reclaimed' then
    run.previous := leasehold._previous_lease(taken, run.started_at);
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
  return leasehold._start_answer(state, run, run.started_at);
end $$;

-- A start that has proceeded before is told and no more: its row is that of the run that has, or had, the lock.
-- Any other is stored. And unless the caller will ask again for it, it is an event once and, if it was skipped
-- because a run is still running, counted once.
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
    update leasehold.locks l set skips_in_row = l.skips_in_row + 1
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
  if tells then
    perform leasehold._event('run.skipped',
      case reason when 'hold' then 'critical' when 'held' then 'warning' else 'info' end,
      run.lock, run.run_id, run.holder, run.message, jsonb_build_object('reason', reason), run.started_at);
  end if;
  return leasehold._start_answer(state, run, run.started_at);
end $$;

-- Null where this start has proceeded with the lock already: then it is a repeat, not a bypass.
create function leasehold._bypass(run leasehold.runs, bypass_reason text) returns leasehold.acquire_answer
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
declare
  state leasehold.locks;
  seen leasehold.runs := leasehold._run_of_start(run);
begin
  if seen.outcome in ('acquired', 'reclaimed') then
    return null;
  end if;
  insert into leasehold.locks (name) values (run.lock) on conflict do nothing;
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
  run.slot_at := slot;
  run.again := coalesce(again, false);
  run.trigger := case when trigger is not null then leasehold._check_text(trigger, 'trigger', 255) end;
  -- Left out: half the safety margin, the smaller of 10 s and a fifth of the lease.
  run.grace_ms := case when grace is null then least(5000, run.lease_ms / 10)
    else leasehold._interval_ms(grace, 'grace', 0, 3600000) end;
  run.holder_info := holder_info;
  return run;
end $$;

-- True where every argument is inside its limits and nothing special is asked: then no check has to explain anything.
create function leasehold._is_plain(
  lock_name text, holder text, run_id text, trigger text, lease interval, grace interval, on_stale text, bypass_reason text
) returns boolean
language plpgsql stable security invoker set search_path = pg_catalog, pg_temp as $$
begin
  return coalesce(bypass_reason is null and on_stale in ('reclaim', 'hold')
    and octet_length(lock_name) between 1 and 255 and octet_length(holder) between 1 and 1024
    and octet_length(run_id) between 1 and 1024 and coalesce(octet_length(trigger), 1) between 1 and 255
    and concat(lock_name, holder, run_id, trigger) !~ '[\u0001-\u001f\u007f-\u009f]'
    and lease between interval '1 second' and interval '31 days' and extract(month from lease) = 0
    and coalesce(grace between interval '0' and interval '1 hour', true)
    and current_setting('transaction_isolation') = 'read committed', false);
end $$;
