-- leasehold.assert_holder: fails with LH001 unless the token holds a live lease. Meant for the transaction of a
-- fenced write: it keeps FOR KEY SHARE on the lock's row, so that no other start gets the lock before that
-- transaction ends. Renewals and skips go on meanwhile. Under REPEATABLE READ and SERIALIZABLE it must come before
-- anything else, or may fail with 40001 (retry the transaction): a snapshot can't show what happened since.
-- REPEATABLE READ and SERIALIZABLE show the row as it was when the transaction began. FOR SHARE fails there with 40001
-- where the row has changed since; taken in a subtransaction that is rolled back, so that renewals don't wait for it.
create function leasehold._refuse_old_snapshot(lock_name text) returns void
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
begin
  if current_setting('transaction_isolation') = 'read committed' then
    return;
  end if;
  perform from leasehold.locks l where l.name = lock_name for share;
  raise exception using errcode = 'LH000';
exception
  when sqlstate 'LH000' then
    return;
end $$;

create function leasehold.assert_holder(lock_name text, token text) returns leasehold.holder_answer
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp set lock_timeout = '5s' as $$
declare
  state leasehold.locks;
  owner leasehold.runs;
  now_at timestamptz;
  answer leasehold.holder_answer;
begin
  perform from leasehold.locks l where l.name = lock_name for key share;
  perform leasehold._refuse_old_snapshot(lock_name);
  -- FOR KEY SHARE may have waited and may have been given on a version that has been updated since: look again.
  select l.* into state from leasehold.locks l where l.name = lock_name;
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
-- whichever is first; now => true frees it at once. A pause after a release ends at once. The next start is `reclaimed`.
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
  if (state.token is null or coalesce(state.drain_until <= now_at, false))
    and not coalesce(state.free_at > now_at, false) then
    answer.outcome := 'already_free';
  elsif state.token is null or coalesce(state.drain_until <= now_at, false) or coalesce(force_release.now, false) or coalesce(state.lease_until <= now_at, true) then
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
    update leasehold.locks l set drain_until = answer.free_at, free_at = null where l.name = lock_name;
    perform leasehold._event('lock.force_released', 'warning', lock_name, state.run_id, state.holder,
      leasehold._with_reason(answer.message, reason),
      jsonb_build_object('reason', force_release.reason, 'atOnce', coalesce(force_release.now, false),
        'holder', state.holder, 'runId', state.run_id), now_at);
  end if;
  return answer;
end $$;
