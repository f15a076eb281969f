-- Locks the row first and reads the clock in the next statement, as every call that judges a lease.

create function leasehold._row_for_holder(lock_name text) returns leasehold.locks
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
declare
  state leasehold.locks;
begin
  select l.* into state from leasehold.locks l where l.name = lock_name for no key update;
  return state;
end $$;

create function leasehold._run_of_token(lock_name text, token text) returns leasehold.runs
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
begin
  return (select r from leasehold.runs r where r.token = _run_of_token.token and r.lock = lock_name);
end $$;

create function leasehold._loss_reason(state leasehold.locks, owner leasehold.runs, token text) returns text
language plpgsql immutable security invoker set search_path = pg_catalog, pg_temp as $$
begin
  return case
    when state.name is not null and state.token = token then
      case when state.drain_until is not null then 'force_released' else 'expired' end
    when state.name is null or owner.run_id is null then 'unknown_token'
    when owner.fence < state.fence then 'taken_over'
    else 'released'
  end;
end $$;

-- leasehold.renew: extends a live lease of this token from now on; an expired one is lost even if nobody took it.
--   lease     as long as before where left out
--   progress  a note of up to 4,096 bytes, shown to whoever waits or reclaims
--   holder_info  replaces what was known of the holder; kept where left out
-- Answers renewed | lost. Errors: LH002, LH003.
create function leasehold.renew(
  lock_name text, token text, lease interval default null, progress text default null, holder_info jsonb default null
) returns leasehold.renew_answer
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp set lock_timeout = '2s' as $$
declare
  state leasehold.locks;
  owner leasehold.runs;
  now_at timestamptz;
  answer leasehold.renew_answer;
  ms bigint;
begin
  perform leasehold._refuse_in_transaction('renew');
  perform leasehold._check_text(lock_name, 'lock name', 255);
  ms := case when lease is not null then leasehold._interval_ms(lease, 'lease', 1000, 2678400000) end;
  perform case when progress is not null then leasehold._check_text(progress, 'progress', 4096) end;
  if jsonb_typeof(holder_info) <> 'object' then
    perform leasehold._refuse('holder_info must be a JSON object');
  end if;
  state := leasehold._row_for_holder(lock_name);
  now_at := leasehold._now();
  state := leasehold._draw_in(state, now_at);
  answer.lock := lock_name;
  if state.token = renew.token and state.drain_until is null and state.lease_until > now_at then
    perform leasehold._tell_near_end(state, 'renewed', now_at);
    -- As long as before. A hand-written row may not say: then from its start to its end, or what is left.
    ms := coalesce(ms, least(2678400000, case when state.lease_ms > 0 then state.lease_ms
      else leasehold._ms_between(case when state.since <= now_at then state.since else now_at end, state.lease_until) end));
    update leasehold.locks l set lease_ms = ms, lease_until = leasehold._after(now_at, ms),
      renewed_at = now_at, progress = coalesce(renew.progress, l.progress),
      holder_info = coalesce(renew.holder_info, l.holder_info)
    where l.name = lock_name returning l.* into state;
    if renew.holder_info is not null then
      update leasehold.runs r set holder_info = renew.holder_info where r.token = renew.token and r.lock = lock_name;
    end if;
    answer.outcome := 'renewed';
    answer.run_id := state.run_id;
    answer.lease_until := state.lease_until;
    answer.remaining_ms := leasehold._ms_between(now_at, state.lease_until);
    answer.message := format('Renewed lock "%s" until %s.', lock_name, leasehold._iso(state.lease_until));
    return answer;
  end if;
  owner := leasehold._run_of_token(lock_name, renew.token);
  answer.outcome := 'lost';
  answer.run_id := owner.run_id;
  answer.reason := leasehold._loss_reason(state, owner, renew.token);
  answer.message := leasehold._message_lost(state, lock_name, answer.reason, now_at);
  if answer.reason = 'force_released' then
    update leasehold.locks l set drain_until = least(l.drain_until, leasehold._after(now_at, l.grace_ms))
    where l.name = lock_name;
  end if;
  perform leasehold._event('lease.lost', 'warning', lock_name, owner.run_id, owner.holder, answer.message,
    jsonb_build_object('reason', answer.reason), now_at);
  update leasehold.runs r set loss_told = true where r.token = renew.token and r.lock = lock_name and not r.loss_told;
  return answer;
end $$;
