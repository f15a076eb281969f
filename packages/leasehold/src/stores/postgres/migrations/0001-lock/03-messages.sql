-- The sentences that people read: word for word those of the library's domain/messages.ts, which the
-- conformance suite compares. No token ever stands in one.

-- At most two units, rounded down: 350ms, 45s, 1m 10s, 2h 5m, 3d 4h.
create function leasehold._duration(ms bigint) returns text
language plpgsql immutable security invoker set search_path = pg_catalog, pg_temp as $$
begin
  return case
    when ms < 1000 then ms || 'ms'
    when ms < 60000 then ms / 1000 || 's'
    when ms < 3600000 then ms / 60000 || 'm' || case when ms / 1000 % 60 = 0 then '' else ' ' || ms / 1000 % 60 || 's' end
    when ms < 86400000 then ms / 3600000 || 'h' || case when ms / 60000 % 60 = 0 then '' else ' ' || ms / 60000 % 60 || 'm' end
    else ms / 86400000 || 'd' || case when ms / 3600000 % 24 = 0 then '' else ' ' || ms / 3600000 % 24 || 'h' end
  end;
end $$;

create function leasehold._iso(instant timestamptz) returns text
language sql stable security invoker
return to_char(instant at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');

create function leasehold._ms_between(earlier timestamptz, later timestamptz) returns bigint
language sql immutable security invoker
return case when isfinite(earlier) and isfinite(later) then floor(extract(epoch from later - earlier) * 1000)::bigint end;

create function leasehold._after(instant timestamptz, ms bigint) returns timestamptz
language sql stable security invoker
return instant + ms * interval '1 millisecond';

-- At least 1; null where the start is unknown or lies in the future.
create function leasehold._age_ms(since timestamptz, now_at timestamptz) returns bigint
language sql immutable security invoker
return case when since <= now_at then greatest(1, leasehold._ms_between(since, now_at)) end;

-- Never below 0; null where the lease has no end.
create function leasehold._remaining_ms(lease_until timestamptz, now_at timestamptz) returns bigint
language sql immutable security invoker
return case when lease_until is not null then greatest(0, leasehold._ms_between(now_at, lease_until)) end;

create function leasehold._age_text(age_ms bigint) returns text
language plpgsql immutable security invoker set search_path = pg_catalog, pg_temp as $$
begin
  return coalesce(leasehold._duration(age_ms), 'unknown');
end $$;

create function leasehold._shell_word(name text) returns text
language plpgsql immutable security invoker set search_path = pg_catalog, pg_temp as $$
begin
  return case when name ~ '^[A-Za-z0-9_.:/@%+-]+$' then name
    else chr(39) || replace(name, chr(39), chr(39) || chr(92) || chr(39) || chr(39)) || chr(39) end;
end $$;

create function leasehold._message_acquired(lock text, fence bigint, lease_ms bigint, lease_until timestamptz) returns text
language plpgsql stable security invoker set search_path = pg_catalog, pg_temp as $$
begin
  return format('Acquired lock "%s" for %s, until %s (fence %s).',
    lock, leasehold._duration(lease_ms), leasehold._iso(lease_until), fence);
end $$;

create function leasehold._message_reclaimed(lock text, previous jsonb, forced boolean, released_itself boolean) returns text
language plpgsql stable security invoker set search_path = pg_catalog, pg_temp as $$
begin
  return format('Reclaimed %s: previous holder %s, lease age %s, %s, probe %s; %s.',
    case when forced then format('lease of lock "%s" after a force-release', lock)
      else format('stale lease of lock "%s"', lock) end,
    coalesce(nullif(previous ->> 'holder', ''), 'unknown'),
    leasehold._age_text((previous ->> 'ageMs')::bigint),
    coalesce('last renewed ' || (previous ->> 'renewedAt'), 'never renewed'),
    coalesce(previous ->> 'probe', 'none'),
    case when released_itself then 'the previous run has released it itself'
      when previous ->> 'probe' like 'ended: %' then 'the previous run has ended without releasing it'
      else 'the previous run may still be running' end);
end $$;

create function leasehold._message_skipped(state leasehold.locks, reason text, run_id text, now_at timestamptz) returns text
language plpgsql stable security invoker set search_path = pg_catalog, pg_temp as $$
begin
  return format('Skipped lock "%s": ', state.name) || case reason
    when 'held' then format(
      'previous run still running (holder %s, for %s, lease ends %s, skip %s in a row); to release it by force: leasehold force-release %s --reason TEXT',
      coalesce(nullif(state.holder, ''), 'unknown'), leasehold._age_text(leasehold._age_ms(state.since, now_at)),
      coalesce(leasehold._iso(state.lease_until), 'unknown'), state.skips_in_row, leasehold._shell_word(state.name))
    when 'hold' then format(
      'its lease is stale (holder %s, age %s) and waits for a person; when the old run is surely over: leasehold force-release %s --reason TEXT --now',
      coalesce(nullif(state.holder, ''), 'unknown'), leasehold._age_text(leasehold._age_ms(state.since, now_at)),
      leasehold._shell_word(state.name))
    when 'draining' then format(
      'it was force-released and waits for holder %s to stop, at the latest until %s.',
      coalesce(nullif(state.holder, ''), 'unknown'), leasehold._iso(coalesce(least(state.drain_until, state.lease_until), now_at)))
    when 'cooling' then format(
      'its last run asked for a pause after it; it is free from %s; to free it by force: leasehold force-release %s --reason TEXT',
      leasehold._iso(coalesce(state.free_at, now_at)), leasehold._shell_word(state.name))
    when 'paused' then format('it is paused; to go on: leasehold resume %s', leasehold._shell_word(state.name))
    when 'contended' then 'another transaction kept its row locked for too long; nothing was started.'
    when 'run_ended' then format('run %s had it and its lease is over; a new start needs a new run id.', run_id)
  end;
end $$;

create function leasehold._message_lost(state leasehold.locks, lock_name text, reason text, now_at timestamptz) returns text
language plpgsql stable security invoker set search_path = pg_catalog, pg_temp as $$
begin
  return format('Lost lock "%s": ', lock_name) || case reason
    when 'expired' then format('its lease ended %s ago; stop, another run may start at any moment.',
      leasehold._duration(leasehold._ms_between(coalesce(state.lease_until, now_at), now_at)))
    when 'taken_over' then format('run %s of holder %s took it over; stop.',
      coalesce(nullif(state.run_id, ''), 'unknown'), coalesce(nullif(state.holder, ''), 'unknown'))
    when 'force_released' then 'it was force-released; stop.'
    when 'released' then 'this run has released it already.'
    else 'no run of it has this token; stop, and check its name and the token.'
  end;
end $$;

create function leasehold._message_given_up(lock_name text, words text) returns text
language plpgsql stable security invoker set search_path = pg_catalog, pg_temp as $$
begin
  return format('Lost lock "%s": %s.', lock_name, words);
end $$;

create function leasehold._message_release(state leasehold.locks, lock_name text, outcome text, now_at timestamptz) returns text
language plpgsql stable security invoker set search_path = pg_catalog, pg_temp as $$
begin
  return case outcome
    when 'released' then format('Released lock "%s".', lock_name)
    when 'expired' then format('Released lock "%s" %s after its lease had ended; nobody had taken it.', lock_name,
      leasehold._duration(leasehold._ms_between(coalesce(state.lease_until, now_at), now_at)))
    when 'already_free' then format('Lock "%s" was free already.', lock_name)
    else case when state.name is null
      then format('Not released: lock "%s" is not known to this store; check its name.', lock_name)
      else format('Not released: this token does not hold lock "%s"; its latest run is %s of holder %s.', lock_name,
        coalesce(nullif(state.run_id, ''), 'unknown'), coalesce(nullif(state.holder, ''), 'unknown')) end
  end;
end $$;

-- For the event of what was done for a stated reason.
create function leasehold._with_reason(message text, reason text) returns text
language sql immutable security invoker
return regexp_replace(message, '\.$', '') || '; reason: ' || reason;

create function leasehold._message_force_release(state leasehold.locks, lock_name text, outcome text, free_at timestamptz) returns text
language plpgsql stable security invoker set search_path = pg_catalog, pg_temp as $$
begin
  return case outcome
    when 'draining' then format(
      'Force-released lock "%s": holder %s is told at its next renewal; the lock is free at the latest at %s.',
      lock_name, coalesce(nullif(state.holder, ''), 'unknown'), leasehold._iso(free_at))
    when 'released' then format(case when state.token is null or coalesce(state.drain_until <= free_at, false)
      then 'Force-released lock "%s": the pause after its run %s is over, it is free now.'
      else 'Force-released lock "%s": it is free now; its run %s may still be running.' end,
      lock_name, coalesce(nullif(state.run_id, ''), 'unknown'))
    else case when state.name is null
      then format('Nothing to release: lock "%s" is not known to this store; check its name.', lock_name)
      else format('Nothing to release: lock "%s" is free.', lock_name) end
  end;
end $$;
