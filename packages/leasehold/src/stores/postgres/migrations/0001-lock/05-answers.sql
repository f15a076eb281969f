-- What a start is told, and the row that is kept of it.

-- domain/acquire.ts, decideAcquire: acquired | reclaimed | replay | replay_bypass | already_ran | probe_first | extend |
-- a skip's reason.
create function leasehold._decide_acquire(
  state leasehold.locks, seen leasehold.runs, slot leasehold.slots, on_stale text, again boolean, probes text[],
  evidence jsonb, now_at timestamptz
) returns text
language plpgsql stable security invoker set search_path = pg_catalog, pg_temp as $$
declare
  expired boolean := coalesce(state.lease_until <= now_at, true);
  draining boolean := coalesce(state.token is not null and state.drain_until > now_at and not expired, false);
  weight text;
begin
  if seen.outcome = 'bypassed' then return 'replay_bypass'; end if;
  if seen.outcome in ('acquired', 'reclaimed') then
    if seen.token is distinct from state.token or expired then return 'run_ended'; end if;
    if state.drain_until is null then return 'replay'; end if;
    return case when draining then 'draining' else 'run_ended' end;
  end if;
  if slot.is_done and not again then return 'already_ran'; end if;
  if state.paused_at is not null then return 'paused'; end if;
  if state.token is not null and (state.drain_until is null or draining) then
    weight := leasehold._weigh_evidence(state, probes, evidence, now_at);
    if weight in ('probe_first', 'extend') then return weight; end if;
    if weight = 'ended' then return 'reclaimed'; end if;
    if draining then return 'draining'; end if;
    if not expired then return 'held'; end if;
    return case when on_stale = 'hold' then 'hold' else 'reclaimed' end;
  end if;
  if state.free_at > now_at then return 'cooling'; end if;
  return case when state.drain_until is not null then 'reclaimed' else 'acquired' end;
end $$;

create function leasehold._previous_lease(state leasehold.locks, probe text, now_at timestamptz) returns jsonb
language plpgsql stable security invoker set search_path = pg_catalog, pg_temp as $$
begin
  return jsonb_build_object(
    'holder', state.holder, 'runId', state.run_id, 'since', leasehold._iso(state.since),
    'ageMs', leasehold._age_ms(state.since, now_at), 'renewedAt', leasehold._iso(state.renewed_at),
    'progress', state.progress, 'probe', probe);
end $$;

create function leasehold._run_of_start(run leasehold.runs) returns leasehold.runs
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
begin
  return (select r from leasehold.runs r where r.lock = run.lock and r.run_id = run.run_id and r.holder = run.holder);
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
    started_at = case when excluded.outcome in ('skipped', 'already_ran') then r.started_at else excluded.started_at end,
    lease_ms = excluded.lease_ms, grace_ms = excluded.grace_ms, age_ms = excluded.age_ms, previous_run_id = excluded.previous_run_id,
    previous = excluded.previous, told = excluded.told, counted = excluded.counted, message = excluded.message
  where r.outcome not in ('acquired', 'reclaimed', 'bypassed');
end $$;

-- The slots named since the last success that no run has brought to one, this start's own left out; oldest first.
create function leasehold._missed_slots(lock_name text, own_slot timestamptz, last_success timestamptz) returns timestamptz[]
language plpgsql stable security invoker set search_path = pg_catalog, pg_temp as $$
begin
  return array(
    select s.slot_at from leasehold.slots s
    where s.lock = lock_name and not s.is_done and s.slot_at > coalesce(last_success, '-infinity')
      and s.slot_at < coalesce(own_slot, 'infinity')
    order by s.slot_at);
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
  answer.missed := leasehold._missed_slots(run.lock, run.slot_at, state.last_success_slot_at);
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
