-- leasehold.pause and leasehold.resume: stop new starts of a lock and let them in again. A run under way goes on,
-- and may be renewed and released. Answers paused | already_paused, resumed | not_paused. Errors: LH002.

-- reason: for the event alone, null in the answer.
create function leasehold._message_paused(lock_name text, was_paused boolean, reason text) returns text
language plpgsql stable security invoker set search_path = pg_catalog, pg_temp as $$
begin
  return case when was_paused then format('Lock "%s" was paused already; its new starts are skipped.', lock_name)
    else format('Paused lock "%s": new starts are skipped, a run under way goes on%s; to go on: leasehold resume %s',
      lock_name, '; reason: ' || reason, leasehold._shell_word(lock_name)) end;
end $$;

create function leasehold.pause(lock_name text, reason text default null) returns leasehold.pause_answer
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp set lock_timeout = '5s' as $$
declare
  state leasehold.locks;
  now_at timestamptz;
  answer leasehold.pause_answer;
begin
  perform leasehold._check_text(lock_name, 'lock name', 255);
  perform case when reason is not null then leasehold._check_text(reason, 'reason', 4096) end;
  state := leasehold._row_for_holder(lock_name);
  if state.name is null then
    -- A start that is making the row commits first: a row that can't be seen yet can't be paused.
    perform leasehold._wait_for_new_lock(lock_name);
    perform leasehold._create_lock(lock_name);
    state := leasehold._row_for_holder(lock_name);
  end if;
  now_at := leasehold._now();
  answer.lock := lock_name;
  answer.outcome := case when state.paused_at is null then 'paused' else 'already_paused' end;
  answer.message := leasehold._message_paused(lock_name, state.paused_at is not null, null);
  if state.paused_at is null then
    update leasehold.locks l set paused_at = now_at where l.name = lock_name;
    perform leasehold._event('lock.paused', 'warning', lock_name, null, null,
      leasehold._message_paused(lock_name, false, reason), jsonb_build_object('reason', reason), now_at);
  end if;
  return answer;
end $$;

create function leasehold.resume(lock_name text) returns leasehold.pause_answer
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp set lock_timeout = '5s' as $$
declare
  state leasehold.locks;
  now_at timestamptz;
  answer leasehold.pause_answer;
begin
  perform leasehold._check_text(lock_name, 'lock name', 255);
  state := leasehold._row_for_holder(lock_name);
  now_at := leasehold._now();
  answer.lock := lock_name;
  answer.outcome := case when state.paused_at is null then 'not_paused' else 'resumed' end;
  answer.message := case when state.paused_at is null then format('Lock "%s" was not paused.', lock_name)
    else format('Resumed lock "%s": starts are let in again.', lock_name) end;
  if state.paused_at is not null then
    update leasehold.locks l set paused_at = null where l.name = lock_name;
    perform leasehold._event('lock.resumed', 'info', lock_name, null, null, answer.message,
      jsonb_build_object('pausedAt', leasehold._iso(state.paused_at)), now_at);
  end if;
  return answer;
end $$;
