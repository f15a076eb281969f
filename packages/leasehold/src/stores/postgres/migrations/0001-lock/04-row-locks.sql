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

-- Makes the row of a lock that has none. One that was lost (a failover to a late replica, a restore) must not let
-- fences start again, nor tell of old slots anew.
create function leasehold._create_row(lock_name text) returns void
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
begin
  insert into leasehold.locks (name, fence, last_success_slot_at)
  select lock_name, coalesce(max(r.fence), 0),
    (select max(s.slot_at) from leasehold.slots s where s.lock = lock_name and s.is_done)
  from leasehold.runs r where r.lock = lock_name
  on conflict do nothing;
end $$;

-- The row after waiting for it; null where the wait took too long or the snapshot is too old (REPEATABLE READ).
create function leasehold._row_after_wait(lock_name text) returns leasehold.locks
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp set lock_timeout = '900ms' as $$
declare
  state leasehold.locks;
begin
  perform leasehold._create_row(lock_name);
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
