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

-- A success counts for the slot of its run, whoever holds the lock by now.
create function leasehold._finish_slot(run leasehold.runs, now_at timestamptz) returns void
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
begin
  if run.slot_at is null or run.status is distinct from 'success' then
    return;
  end if;
  insert into leasehold.slots (lock, slot_at, is_done, run_id, holder, started_at, ended_at)
  values (run.lock, run.slot_at, true, run.run_id, run.holder, run.started_at, coalesce(run.ended_at, now_at))
  on conflict on constraint slots_pkey do update set is_done = true, run_id = excluded.run_id,
    holder = excluded.holder, started_at = excluded.started_at, ended_at = excluded.ended_at;
  update leasehold.locks l set last_success_slot_at = greatest(l.last_success_slot_at, run.slot_at)
  where l.name = run.lock;
end $$;

-- Any release that is not the ordinary one below: late, repeated, forced, by another, with `after` or with `lost`.
create function leasehold._release_any(
  lock_name text, token text, status text, after interval, lost text
) returns leasehold.release_answer
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
declare
  state leasehold.locks;
  owner leasehold.runs;
  now_at timestamptz;
  answer leasehold.release_answer;
  after_ms bigint;
  is_current boolean;
  is_given_up boolean;
  succeeds boolean;
begin
  perform leasehold._check_text(lock_name, 'lock name', 255);
  if status not in ('success', 'failure') then
    perform leasehold._refuse(format('status is "%s"; it must be success or failure', status));
  end if;
  perform case when lost is not null then leasehold._check_text(lost, 'lost', 1024) end;
  after_ms := case when after is not null then leasehold._interval_ms(after, 'after', 0, 2678400000) else 0 end;
  state := leasehold._row_for_holder(lock_name);
  now_at := leasehold._now();
  state := leasehold._draw_in(state, now_at);
  owner := leasehold._run_of_token(lock_name, _release_any.token);
  is_current := coalesce(state.token = _release_any.token, false);
  is_given_up := lost is not null and (is_current or owner.run_id is not null);
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
      renewed_at = case when is_current then state.renewed_at else r.renewed_at end,
      loss_told = r.loss_told or is_given_up or answer.outcome = 'expired'
    where r.token = _release_any.token;
    if owner.status is null then
      perform leasehold._finish_slot(leasehold._run_of_token(lock_name, _release_any.token), now_at);
    end if;
  end if;
  -- A longer lease is no advice for a run that was stopped.
  if is_current and answer.outcome = 'released' and lost is null then
    perform leasehold._tell_near_end(state, 'released', now_at);
  end if;
  if answer.outcome = 'not_holder' then
    perform leasehold._event('release.refused', 'critical', lock_name, owner.run_id, owner.holder, answer.message,
      jsonb_build_object('status', _release_any.status), now_at);
  end if;
  -- Its holder had given it up, or its lease was over while it worked on: a renewal that was refused has told so, or
  -- else nobody has.
  if is_given_up and not coalesce(owner.loss_told, false) then
    perform leasehold._event('lease.lost', 'warning', lock_name, owner.run_id, owner.holder,
      leasehold._message_given_up(lock_name, lost), jsonb_build_object('reason', 'given_up', 'detail', lost), now_at);
  elsif answer.outcome = 'expired' and not coalesce(owner.loss_told, false) then
    perform leasehold._event('lease.lost', 'warning', lock_name, owner.run_id, owner.holder, answer.message,
      jsonb_build_object('reason', 'expired'), now_at);
  end if;
  return answer;
end $$;

-- The row of a lock that has just been freed, as it was.
create function leasehold._tell_late_release(lock_name text, token text, held_until timestamptz, now_at timestamptz) returns void
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
declare
  state leasehold.locks;
begin
  select l.* into state from leasehold.locks l where l.name = lock_name;
  state.token := _tell_late_release.token;
  state.lease_until := held_until;
  perform leasehold._tell_near_end(state, 'released', now_at);
end $$;

-- leasehold.release: gives the lock back; only the holder's own token frees it.
--   status  'success', 'failure' or null (freed, the slot isn't counted); one is added, never changed
--   after   free the lock only that much later: for a cancelled step that may still be writing
--   lost    why this holder had given its lease up, in 1 to 1,024 bytes: event lease.lost, once a run
-- Answers released | expired | already_free | not_holder. What a late holder says of its run is kept. Errors: LH002.
create function leasehold.release(
  lock_name text, token text, status text default null, after interval default null, lost text default null
) returns leasehold.release_answer
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp set lock_timeout = '5s' as $$
#variable_conflict use_column
declare
  current_run text;
  held_ms bigint;
  held_until timestamptz;
  slot_of_run timestamptz;
  now_at timestamptz;
  is_plain boolean;
begin
  is_plain := lost is null and (after is null or after = interval '0');
  if is_plain and (status is null or status in ('success', 'failure')) and octet_length(lock_name) <= 255 then
    -- The ordinary release: the current token, in time, nothing forced. Its run has no end and no status yet.
    select l.run_id, l.lease_ms, l.lease_until into current_run, held_ms, held_until from leasehold.locks l
    where l.name = lock_name and l.token = release.token and l.drain_until is null
    for no key update;
    now_at := leasehold._now();
    if current_run is not null then
      update leasehold.locks l set token = null, lease_until = now_at, free_at = null,
        last_success_at = case when release.status = 'success' then now_at else l.last_success_at end
      where l.name = lock_name and l.lease_until > now_at and l.lease_until <= leasehold._after(now_at, l.lease_ms);
      if found then
        update leasehold.runs r set ended_at = now_at, status = release.status, renewed_at = l.renewed_at
        from leasehold.locks l where r.token = release.token and l.name = lock_name
        returning r.slot_at into slot_of_run;
        -- In time as nearly all are, this comparison is all that it costs.
        if held_until - now_at <= held_ms * interval '0.5 milliseconds' then
          perform leasehold._tell_late_release(lock_name, release.token, held_until, now_at);
        end if;
        if slot_of_run is not null then
          perform leasehold._finish_slot(leasehold._run_of_token(lock_name, release.token), now_at);
        end if;
        return row('released', lock_name, current_run, format('Released lock "%s".', lock_name))::leasehold.release_answer;
      end if;
    end if;
  end if;
  return leasehold._release_any(lock_name, token, status, after, lost);
end $$;
