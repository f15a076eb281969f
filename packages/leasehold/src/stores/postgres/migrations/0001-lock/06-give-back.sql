-- Renew, release, assert, force-release. Each locks the row first and reads the clock in the next statement.

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
-- Answers renewed | lost. Errors: LH002, LH003.
create function leasehold.renew(
  lock_name text, token text, lease interval default null, progress text default null
) returns leasehold.renew_answer
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
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
  state := leasehold._row_for_holder(lock_name);
  now_at := leasehold._now();
  state := leasehold._draw_in(state, now_at);
  answer.lock := lock_name;
  if state.token = renew.token and state.drain_until is null and state.lease_until > now_at then
    ms := coalesce(ms, state.lease_ms, leasehold._ms_between(state.since, state.lease_until));
    update leasehold.locks l set lease_ms = ms, lease_until = leasehold._after(now_at, ms),
      renewed_at = now_at, progress = coalesce(renew.progress, l.progress)
    where l.name = lock_name returning l.* into state;
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
  return answer;
end $$;

-- domain/give-back.ts, decideRelease.
create function leasehold._decide_release(
  state leasehold.locks, owner leasehold.runs, is_current boolean, now_at timestamptz
) returns text
language plpgsql immutable security invoker set search_path = pg_catalog, pg_temp as $$
begin
  return case
    when is_current then case
      when state.drain_until <= now_at then 'already_free'
      when coalesce(state.lease_until <= now_at, true) then 'expired'
      else 'released' end
    when owner.ended_at is not null and owner.lost_at is null then 'released'
    when state.name is null or state.token is not null then 'not_holder'
    when owner.run_id is not null and owner.fence is distinct from state.fence then 'not_holder'
    else 'already_free'
  end;
end $$;

-- Any release that is not the ordinary one below: late, repeated, forced, by another, or with `after`.
create function leasehold._release_any(
  lock_name text, token text, status text, after interval
) returns leasehold.release_answer
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
declare
  state leasehold.locks;
  owner leasehold.runs;
  now_at timestamptz;
  answer leasehold.release_answer;
  after_ms bigint;
  is_current boolean;
  succeeds boolean;
begin
  perform leasehold._check_text(lock_name, 'lock name', 255);
  if status not in ('success', 'failure') then
    perform leasehold._refuse(format('status is "%s"; it must be success or failure', status));
  end if;
  after_ms := case when after is not null then leasehold._interval_ms(after, 'after', 0, 2678400000) else 0 end;
  state := leasehold._row_for_holder(lock_name);
  now_at := leasehold._now();
  state := leasehold._draw_in(state, now_at);
  owner := leasehold._run_of_token(lock_name, _release_any.token);
  is_current := coalesce(state.token = _release_any.token, false);
  answer.lock := lock_name;
  answer.run_id := owner.run_id;
  answer.outcome := leasehold._decide_release(state, owner, is_current, now_at);
  answer.message := leasehold._message_release(state, lock_name, answer.outcome, now_at);
  succeeds := _release_any.status = 'success' and owner.run_id is not null and owner.status is null;
  if is_current then
    update leasehold.locks l set token = null, lease_until = least(l.lease_until, now_at),
      free_at = case when after_ms > 0 then leasehold._after(now_at, after_ms) end,
      drain_until = case when l.drain_until is not null then least(l.drain_until, now_at) end,
      last_success_at = case when succeeds then now_at else l.last_success_at end
    where l.name = lock_name;
  elsif succeeds then
    update leasehold.locks l set last_success_at = now_at where l.name = lock_name;
  end if;
  if owner.run_id is not null then
    update leasehold.runs r set
      ended_at = case when is_current then now_at else coalesce(r.ended_at, now_at) end,
      status = coalesce(r.status, _release_any.status),
      renewed_at = case when is_current then state.renewed_at else r.renewed_at end
    where r.token = _release_any.token;
  end if;
  if answer.outcome = 'not_holder' then
    perform leasehold._event('release.refused', 'critical', lock_name, owner.run_id, owner.holder, answer.message,
      jsonb_build_object('status', _release_any.status), now_at);
  end if;
  return answer;
end $$;

-- leasehold.release: gives the lock back; only the holder's own token frees it.
--   status  'success', 'failure' or null (freed, the slot isn't counted); one is added, never changed
--   after   free the lock only that much later: for a cancelled step that may still be writing
-- Answers released | expired | already_free | not_holder. What a late holder says of its run is kept. Errors: LH002.
create function leasehold.release(
  lock_name text, token text, status text default null, after interval default null
) returns leasehold.release_answer
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp set lock_timeout = '5s' as $$
#variable_conflict use_column
declare
  current_run text;
  now_at timestamptz;
  is_plain boolean;
begin
  is_plain := after is null or after = interval '0';
  if is_plain and (status is null or status in ('success', 'failure')) and octet_length(lock_name) <= 255 then
    -- The ordinary release: the current token, in time, nothing forced. Its run has no end and no status yet.
    select l.run_id into current_run from leasehold.locks l
    where l.name = lock_name and l.token = release.token and l.drain_until is null
    for no key update;
    now_at := leasehold._now();
    if current_run is not null then
      update leasehold.locks l set token = null, lease_until = now_at, free_at = null,
        last_success_at = case when release.status = 'success' then now_at else l.last_success_at end
      where l.name = lock_name and l.lease_until > now_at;
      if found then
        update leasehold.runs r set ended_at = now_at, status = release.status, renewed_at = l.renewed_at
        from leasehold.locks l where r.token = release.token and l.name = lock_name;
        return row('released', lock_name, current_run, format('Released lock "%s".', lock_name))::leasehold.release_answer;
      end if;
    end if;
  end if;
  return leasehold._release_any(lock_name, token, status, after);
end $$;

-- leasehold.assert_holder: fails with LH001 unless the token holds a live lease. Meant for the transaction of a
-- fenced write: it keeps FOR KEY SHARE on the lock's row, so that no other start gets the lock before that
-- transaction ends. Renewals and skips go on meanwhile.
create function leasehold.assert_holder(lock_name text, token text) returns leasehold.holder_answer
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  state leasehold.locks;
  owner leasehold.runs;
  now_at timestamptz;
  answer leasehold.holder_answer;
begin
  select l.* into state from leasehold.locks l where l.name = lock_name for key share;
  now_at := leasehold._now();
  if state.token = assert_holder.token and state.drain_until is null and state.lease_until > now_at then
    answer.lock := state.name;
    answer.run_id := state.run_id;
    answer.fence := state.fence;
    answer.lease_until := state.lease_until;
    answer.remaining_ms := leasehold._ms_between(now_at, state.lease_until);
    return answer;
  end if;
  owner := leasehold._run_of_token(lock_name, assert_holder.token);
  raise exception using errcode = 'LH001',
    message = leasehold._message_lost(state, lock_name,
      leasehold._loss_reason(state, owner, assert_holder.token), now_at),
    hint = 'Roll this transaction back: another run may be doing the same work.';
end $$;

-- leasehold.is_holder: the same question without an error and without a row lock.
create function leasehold.is_holder(lock_name text, token text) returns boolean
language sql volatile security definer set search_path = pg_catalog, pg_temp
return exists (
  select from leasehold.locks l
  where l.name = lock_name and l.token = is_holder.token and l.drain_until is null and l.lease_until > clock_timestamp());

-- leasehold.force_release: takes the lock from its holder, for a stated reason. The holder drains: its renewals
-- answer lost, and the lock is free at its release, at that answer plus its grace, or at the lease's end,
-- whichever is first; now => true frees it at once. The next start is `reclaimed`.
-- Answers draining | released | already_free. Errors: LH002.
create function leasehold.force_release(lock_name text, reason text, now boolean default false)
returns leasehold.force_release_answer
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp set lock_timeout = '5s' as $$
declare
  state leasehold.locks;
  now_at timestamptz;
  answer leasehold.force_release_answer;
begin
  perform leasehold._check_text(lock_name, 'lock name', 255);
  perform leasehold._check_text(reason, 'reason', 4096);
  state := leasehold._row_for_holder(lock_name);
  now_at := leasehold._now();
  state := leasehold._draw_in(state, now_at);
  answer.lock := lock_name;
  if state.token is null or coalesce(state.drain_until <= now_at, false) then
    answer.outcome := 'already_free';
  elsif coalesce(force_release.now, false) or coalesce(state.lease_until <= now_at, true) then
    answer.outcome := 'released';
    answer.free_at := now_at;
  else
    answer.outcome := 'draining';
    answer.free_at := least(state.drain_until, state.lease_until);
  end if;
  answer.message := leasehold._message_force_release(state, lock_name, answer.outcome, answer.free_at);
  if answer.outcome <> 'already_free' then
    answer.run_id := state.run_id;
    answer.holder := state.holder;
    update leasehold.locks l set drain_until = answer.free_at where l.name = lock_name;
    perform leasehold._event('lock.force_released', 'warning', lock_name, state.run_id, state.holder, answer.message,
      jsonb_build_object('reason', force_release.reason, 'atOnce', coalesce(force_release.now, false),
        'holder', state.holder, 'runId', state.run_id), now_at);
  end if;
  return answer;
end $$;
