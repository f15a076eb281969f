-- A start: lock the row, read the clock in the next statement, decide, write. One round trip, one commit.
--
-- Row locks: assert_holder keeps FOR KEY SHARE on the row until its caller commits. Skips and renewals take
-- FOR NO KEY UPDATE, which does not wait for that; only a change of owner takes FOR UPDATE and so waits for
-- the writes that a former holder asserted.
--
-- The wait is a bounded one and ends in a skip (`contended`): the smaller of 900 ms and a tenth of the lease, so that
-- it fits into a client's time-out, and the server never has to pick a victim, which might be the holder. It looks
-- again and again with SKIP LOCKED: waiting in the lock's queue would need a subtransaction to end the wait, and a row
-- locked in one is no longer guarded against FOR KEY SHARE once its transaction has updated it.
--
-- Two calls of one start (an answer was lost) take turns by an advisory lock of the transaction; nothing outlives it.

-- Appends an event, and its alert where it is one (10-alerts.sql). All events are written here.
create function leasehold._event(
  kind text, severity text, lock text, run_id text, holder text, message text, data jsonb, at timestamptz
) returns void
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
declare
  new_id bigint;
begin
  insert into leasehold.events (at, kind, severity, lock, run_id, holder, message, data)
  values (_event.at, _event.kind, _event.severity, _event.lock, _event.run_id, _event.holder, _event.message, _event.data)
  returning seq into new_id;
  if leasehold._is_alerting(_event.kind, _event.severity) then
    insert into leasehold.alerts (event_id, dedup_key, next_attempt_at)
    values (new_id, leasehold._dedup_key(_event.kind, _event.lock, _event.run_id, _event.data), _event.at);
  end if;
end $$;

-- True where a start would not change the owner, as far as a look without a lock can tell.
create function leasehold._looks_taken(state leasehold.locks) returns boolean
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
begin
  return state.token is not null
    and coalesce(state.lease_until > clock_timestamp(), false)
    and coalesce(state.drain_until > clock_timestamp(), true);
end $$;

-- Names and ids have no control characters, so a newline keeps them apart.
create function leasehold._start_key(lock_name text, run_id text, holder text) returns bigint
language plpgsql immutable security invoker set search_path = pg_catalog, pg_temp as $$
begin
  return hashtextextended(lock_name || chr(10) || run_id || chr(10) || holder, 7236814);
end $$;

create function leasehold._pause_between_looks() returns void
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
begin
  perform pg_sleep(0.003 + random() * 0.007);
end $$;

create function leasehold._wait_until(run leasehold.runs) returns timestamptz
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
begin
  return leasehold._after(clock_timestamp(), least(900, run.lease_ms / 10));
end $$;

-- False where another call of this very start is still under way.
create function leasehold._has_turn(run leasehold.runs) returns boolean
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
declare
  until_at timestamptz := leasehold._wait_until(run);
begin
  loop
    if pg_try_advisory_xact_lock(leasehold._start_key(run.lock, run.run_id, run.holder)) then
      return true;
    end if;
    if clock_timestamp() >= until_at then
      return false;
    end if;
    perform leasehold._pause_between_looks();
  end loop;
end $$;

-- Makes the row of a lock that has none. A row that was lost (a failover to a late replica, a restore) must not let
-- fences start again, nor tell of old slots anew. False where there is one, or where another transaction is making it: then look again.
create function leasehold._create_lock(lock_name text) returns boolean
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
begin
  if exists (select from leasehold.locks l where l.name = lock_name)
    or not pg_try_advisory_xact_lock(hashtextextended(lock_name, 7236815)) then
    return false;
  end if;
  insert into leasehold.locks (name, fence, last_success_slot_at)
  select lock_name, coalesce(max(r.fence), 0),
    (select max(s.slot_at) from leasehold.slots s where s.lock = lock_name and s.is_done)
  from leasehold.runs r where r.lock = lock_name
  on conflict do nothing;
  return found;
end $$;

-- Waits until no other transaction makes the row, as long as the caller's lock_timeout lets it.
create function leasehold._wait_for_new_lock(lock_name text) returns void
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(lock_name, 7236815));
end $$;

-- The row, locked without waiting; null where another transaction has it, or where there is none. may_change_owner:
-- it is locked FOR UPDATE, so that a new owner may be written.
create function leasehold._row_at_once(
  lock_name text, out state leasehold.locks, out may_change_owner boolean
)
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
begin
  may_change_owner := false;
  select l.* into state from leasehold.locks l where l.name = lock_name;
  if state.name is null then
    return;
  end if;
  if leasehold._looks_taken(state) then
    select l.* into state from leasehold.locks l where l.name = lock_name for no key update skip locked;
    return;
  end if;
  select l.* into state from leasehold.locks l where l.name = lock_name for update skip locked;
  may_change_owner := state.name is not null;
end $$;

-- The row, waited for: null where that took too long.
create function leasehold._row_of_start(
  run leasehold.runs, out state leasehold.locks, out may_change_owner boolean
)
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
declare
  until_at timestamptz := leasehold._wait_until(run);
  looked record;
begin
  loop
    looked := leasehold._row_at_once(run.lock);
    state := looked.state;
    may_change_owner := looked.may_change_owner;
    if state.name is not null or clock_timestamp() >= until_at then
      return;
    end if;
    continue when leasehold._create_lock(run.lock);
    perform leasehold._pause_between_looks();
  end loop;
end $$;

-- The row that is locked FOR NO KEY UPDATE already, locked FOR UPDATE as well. False where that took too long.
create function leasehold._may_own(run leasehold.runs) returns boolean
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
declare
  until_at timestamptz := leasehold._wait_until(run);
begin
  loop
    perform from leasehold.locks l where l.name = run.lock for update skip locked;
    if found then
      return true;
    end if;
    if clock_timestamp() >= until_at then
      return false;
    end if;
    perform leasehold._pause_between_looks();
  end loop;
end $$;

-- domain/clock-fault.ts: an end further away than a whole lease from now would jam the lock, so it is drawn in. Where the
-- row doesn't say how long its lease is, or says what none can be, that is the longest lease that can be asked for.
create function leasehold._drawn_in(state leasehold.locks, now_at timestamptz) returns leasehold.locks
language plpgsql stable security invoker set search_path = pg_catalog, pg_temp as $$
declare
  latest timestamptz := leasehold._after(now_at,
    case when state.lease_ms > 0 then least(state.lease_ms, 2678400000) else 2678400000 end);
begin
  if state.token is not null and state.lease_until > latest then
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
