create function leasehold._carry_out(
  decision text, state leasehold.locks, run leasehold.runs, seen leasehold.runs, slot_row leasehold.slots,
  evidence jsonb, waiting boolean
) returns leasehold.acquire_answer
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
begin
  case
    when decision in ('acquired', 'reclaimed') then
      run.outcome := decision;
      return leasehold._grant(state, run, leasehold._probe_text(state, evidence, run.started_at));
    when decision = 'replay' then
      seen.message := format('Run %s holds lock "%s" already, until %s: the same start asked again.',
        seen.run_id, seen.lock, leasehold._iso(state.lease_until));
      return leasehold._start_answer(state, seen, run.started_at);
    when decision = 'already_ran' then
      return leasehold._already_ran(state, run, seen, slot_row, waiting);
    when decision = 'probe_first' then
      return leasehold._probe_first(state, run);
    when decision = 'extend' then
      return leasehold._skip(leasehold._extend(state, evidence, run.started_at), run, seen, 'held', waiting);
    when decision = 'replay_bypass' then
      return leasehold._start_answer(state, seen, run.started_at);
    else
      return leasehold._skip(state, run, seen, decision, waiting);
  end case;
end $$;

-- Any start that is not the ordinary one below: a repeat, a held, stale or busy lock, the first of its name.
create function leasehold._acquire_any(
  lock_name text,
  lease interval,
  holder text,
  slot timestamptz,
  run_id text,
  on_stale text,
  again boolean,
  trigger text,
  grace interval,
  holder_info jsonb,
  waiting boolean,
  bypass_reason text,
  probes text[],
  evidence jsonb,
  plan leasehold.start_plan default null
) returns leasehold.acquire_answer
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
declare
  run leasehold.runs;
  seen leasehold.runs;
  slot_row leasehold.slots;
  state leasehold.locks;
  waited record;
  decision text;
  answer leasehold.acquire_answer;
begin
  if on_stale is null or on_stale not in ('reclaim', 'hold') then
    perform leasehold._refuse(format('on_stale is "%s"; it must be reclaim or hold', on_stale));
  end if;
  perform case when bypass_reason is not null then leasehold._check_text(bypass_reason, 'reason', 4096) end;
  perform leasehold._check_evidence(evidence);
  run := leasehold._checked_start(lock_name, lease, holder, slot, run_id, again, trigger, grace, holder_info);
  perform leasehold._check_plan(plan);
  if not leasehold._has_turn(run) then
    return leasehold._not_its_turn(run);
  end if;
  seen := leasehold._run_of_start(run);
  if bypass_reason is not null and coalesce(seen.outcome, '') not in ('acquired', 'reclaimed') then
    return leasehold._bypass(run, seen, bypass_reason);
  end if;
  waited := leasehold._row_of_start(run);
  state := waited.state;
  run.started_at := leasehold._now();
  if state.name is null then
    select l.* into state from leasehold.locks l where l.name = run.lock;
    state.name := run.lock;
    return leasehold._skip(state, run, seen, 'contended', coalesce(waiting, false));
  end if;
  state := leasehold._draw_in(state, run.started_at);
  select s.* into slot_row from leasehold.slots s where s.lock = run.lock and s.slot_at = run.slot_at;
  decision := leasehold._decide_acquire(state, seen, slot_row, on_stale, run.again, coalesce(probes, '{}'),
    evidence, run.started_at);
  if decision in ('acquired', 'reclaimed') and not waited.may_change_owner then
    -- A live lease whose holder has ended, or one that ended between the look and the clock: the row is locked, but
    -- not yet against who asserted its holder.
    if not leasehold._may_own(run) then
      return leasehold._skip(state, run, seen, 'contended', coalesce(waiting, false));
    end if;
    run.started_at := leasehold._now();
  end if;
  answer := leasehold._carry_out(decision, state, run, seen, slot_row, evidence, coalesce(waiting, false));
  if decision not in ('replay', 'replay_bypass', 'probe_first') then
    perform leasehold._note_plan(run, plan, answer.proceed);
  end if;
  return answer;
end $$;

-- leasehold.acquire: asks for a lock. Test `proceed`, never the outcome's name.
--   lock_name   1 to 255 bytes, no control characters
--   lease       1 second to 31 days; '125 minutes'; months are refused
--   holder      who starts, 1 to 1,024 bytes: an execution id, host:pid
--   slot        the nominal instant this start was scheduled for, to the millisecond
--   run_id      makes the call repeatable: the same run_id and holder is the same start
--   on_stale    'reclaim' (default), or 'hold': skip and leave it to a person
--   again       a manual rerun of a slot that is done
--   trigger     what started the run: schedule, manual, webhook
--   grace       how long this run may go on after it was told that its lock is lost
--   holder_info what else is known of the holder
--   waiting     the caller will ask again for this start: a skip is stored, not yet counted or told
--   bypass_reason  pass the lock by, for this reason; holds nothing
--   probes      systems that the caller can ask after a holder; none: the clock decides
--   evidence    what one of them said of the lease that a former answer named
--   schedule, timezone, next_slot, overdue  when such starts are planned; see leasehold.watch. All four or none
-- Answers one row: acquired | reclaimed | skipped | already_ran | bypassed; with probes also probe_first.
-- Errors: LH002 (an argument), LH003 (in a transaction).
-- A crash after it leaves a lease that ends by itself at lease_until.
create function leasehold.acquire(
  lock_name text,
  lease interval,
  holder text,
  slot timestamptz default null,
  run_id text default null,
  on_stale text default 'reclaim',
  again boolean default false,
  trigger text default null,
  grace interval default null,
  holder_info jsonb default null,
  waiting boolean default false,
  bypass_reason text default null,
  probes text[] default '{}',
  evidence jsonb default null,
  schedule text default null,
  timezone text default null,
  next_slot timestamptz default null,
  overdue timestamptz default null
) returns leasehold.acquire_answer
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
  new_fence bigint;
  new_token text;
  now_at timestamptz;
  until_at timestamptz;
  ms bigint;
  grace_part bigint;
  said text;
begin
  perform leasehold._refuse_in_transaction('acquire');
  run_id := coalesce(run_id, gen_random_uuid()::text);
  if evidence is not null or coalesce(slot, next_slot, overdue) is not null or coalesce(schedule, timezone) is not null
    or not leasehold._is_plain(lock_name, holder, run_id, trigger, lease, grace, holder_info, on_stale, bypass_reason)
    or not pg_try_advisory_xact_lock(leasehold._start_key(lock_name, run_id, holder)) then
    return leasehold._acquire_any(lock_name, lease, holder, slot, run_id, on_stale, again, trigger, grace, holder_info,
      waiting, bypass_reason, probes, evidence,
      row(schedule, timezone, next_slot, overdue)::leasehold.start_plan);
  end if;
  -- The ordinary start, in three statements: a free lock without slots or a pause, a run id not seen before. FOR
  -- UPDATE, as every change of owner; without a wait, and without an exception block.
  select l.fence + 1 into new_fence from leasehold.locks l
  where l.name = lock_name and l.token is null and l.drain_until is null
    and (l.free_at is null or l.free_at <= clock_timestamp())
    and l.paused_at is null and not exists (select from leasehold.slots s where s.lock = lock_name)
  for update skip locked;
  if new_fence is null then
    return leasehold._acquire_any(lock_name, lease, holder, slot, run_id, on_stale, again, trigger, grace, holder_info,
      waiting, bypass_reason, probes, evidence);
  end if;
  now_at := leasehold._now();
  new_token := gen_random_uuid()::text;
  ms := round(extract(epoch from lease) * 1000);
  grace_part := coalesce(round(extract(epoch from grace) * 1000), least(5000, ms / 10));
  until_at := leasehold._after(now_at, ms);
  said := leasehold._message_acquired(lock_name, new_fence, ms, until_at);
  insert into leasehold.runs (run_id, lock, holder, holder_info, trigger, slot_at, again, outcome, fence, token,
    started_at, lease_ms, grace_ms, message)
  values (acquire.run_id, acquire.lock_name, acquire.holder, acquire.holder_info, acquire.trigger, acquire.slot,
    coalesce(acquire.again, false), 'acquired', new_fence, new_token, now_at, ms, grace_part, said)
  on conflict on constraint runs_start_key do nothing;
  if not found then
    return leasehold._acquire_any(lock_name, lease, holder, slot, run_id, on_stale, again, trigger, grace, holder_info,
      waiting, bypass_reason, probes, evidence);
  end if;
  update leasehold.locks l set fence = new_fence, token = new_token, run_id = acquire.run_id, holder = acquire.holder,
    holder_info = acquire.holder_info, since = now_at, lease_ms = ms, lease_until = until_at, renewed_at = null,
    progress = null, grace_ms = grace_part, free_at = null, skips_in_row = 0
  where l.name = lock_name;
  return row('acquired', true, lock_name, run_id, slot, 0, '{}'::timestamptz[], said, null, new_token, new_fence,
    until_at, ms, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null
  )::leasehold.acquire_answer;
end $$;
