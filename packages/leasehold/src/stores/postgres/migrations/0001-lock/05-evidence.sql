-- What a probe's word about a holder does to its lock: domain/evidence.ts, word for word. A probe runs on the
-- caller's side; here its evidence is weighed and written, in the transaction of the start that brought it.

-- {"fence": 7, "leaseUntil": "2026-11-30T02:00:00.000Z", "state": "alive" | "ended" | "unknown", "detail": TEXT}
create function leasehold._check_evidence(evidence jsonb) returns void
language plpgsql stable security invoker set search_path = pg_catalog, pg_temp as $$
begin
  if evidence is null then
    return;
  end if;
  if jsonb_typeof(evidence) is distinct from 'object' or (evidence ->> 'fence')::bigint is null
    or coalesce(isfinite((evidence ->> 'leaseUntil')::timestamptz), true) is false
    or coalesce(evidence ->> 'state', '') not in ('alive', 'ended', 'unknown') then
    raise exception using errcode = '22023';
  end if;
  perform leasehold._check_text(evidence ->> 'detail', 'detail of the evidence', 1024);
exception
  when sqlstate '22023' or invalid_text_representation or invalid_datetime_format or datetime_field_overflow
    or numeric_value_out_of_range then
    perform leasehold._refuse('evidence must have fence, leaseUntil, state (alive, ended or unknown) and detail');
end $$;

-- Compare-and-set: the lease is still the one that was asked about, to the millisecond.
create function leasehold._is_about(state leasehold.locks, evidence jsonb) returns boolean
language plpgsql stable security invoker set search_path = pg_catalog, pg_temp as $$
begin
  return coalesce(state.fence = (evidence ->> 'fence')::bigint
    and date_trunc('milliseconds', state.lease_until) is not distinct from
      date_trunc('milliseconds', (evidence ->> 'leaseUntil')::timestamptz), false);
end $$;

-- Where the lease of a live holder ends now; null where it isn't extended.
create function leasehold._extended_end(state leasehold.locks, now_at timestamptz) returns timestamptz
language plpgsql stable security invoker set search_path = pg_catalog, pg_temp as $$
declare
  renewed_at timestamptz := coalesce(state.renewed_at, state.since);
  extended timestamptz;
begin
  if state.lease_until > now_at or state.drain_until is not null
    or coalesce(state.holder_info -> 'extendable' = 'false', false) then
    return null;
  end if;
  if state.lease_ms is null or state.lease_until is null or renewed_at is null or renewed_at > now_at then
    return null;
  end if;
  extended := least(leasehold._after(now_at, state.lease_ms), leasehold._after(renewed_at, 4 * state.lease_ms));
  return case when extended > now_at then extended end;
end $$;

-- What a probe said of this very lease, for people; null where it said nothing of it, or where it is in nobody's way.
create function leasehold._probe_text(state leasehold.locks, evidence jsonb, now_at timestamptz) returns text
language plpgsql stable security invoker set search_path = pg_catalog, pg_temp as $$
begin
  return case when jsonb_typeof(state.holder_info -> 'probe') = 'string' and leasehold._is_about(state, evidence)
    and state.token is not null
    and (state.drain_until is null or coalesce(least(state.drain_until, state.lease_until) > now_at, false))
    then (evidence ->> 'state') || ': ' || (evidence ->> 'detail') end;
end $$;

-- by_clock | probe_first | ended | extend
create function leasehold._weigh_evidence(
  state leasehold.locks, probes text[], evidence jsonb, now_at timestamptz
) returns text
language plpgsql stable security invoker set search_path = pg_catalog, pg_temp as $$
begin
  if jsonb_typeof(state.holder_info -> 'probe') is distinct from 'string' then return 'by_clock'; end if;
  if not leasehold._is_about(state, evidence) then
    return case when state.holder_info ->> 'probe' = any (probes) then 'probe_first' else 'by_clock' end;
  end if;
  if evidence ->> 'state' = 'ended' then return 'ended'; end if;
  if evidence ->> 'state' = 'alive' and leasehold._extended_end(state, now_at) is not null then return 'extend'; end if;
  return 'by_clock';
end $$;

-- Says whom to ask about which lease. Writes nothing.
create function leasehold._probe_first(state leasehold.locks, run leasehold.runs) returns leasehold.acquire_answer
language plpgsql stable security invoker set search_path = pg_catalog, pg_temp as $$
declare
  answer leasehold.acquire_answer;
begin
  answer.outcome := 'probe_first';
  answer.proceed := false;
  answer.lock := run.lock;
  answer.run_id := run.run_id;
  answer.slot_at := run.slot_at;
  answer.skips_in_row := state.skips_in_row;
  answer.missed := '{}';
  answer.message := format('Not decided: ask after holder %s of lock "%s", and come back with the evidence.',
    coalesce(nullif(state.holder, ''), 'unknown'), run.lock);
  answer.fence := state.fence;
  answer.lease_until := state.lease_until;
  answer.remaining_ms := coalesce(leasehold._remaining_ms(state.lease_until, run.started_at), 0);
  answer.current_holder := state.holder;
  answer.current_run_id := state.run_id;
  answer.current_holder_info := state.holder_info;
  return answer;
end $$;

-- The holder is alive: its lease goes on, which is told as its run's event. renewed_at stays.
create function leasehold._extend(state leasehold.locks, evidence jsonb, now_at timestamptz) returns leasehold.locks
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
declare
  extended timestamptz := leasehold._extended_end(state, now_at);
begin
  update leasehold.locks l set lease_until = extended where l.name = state.name;
  perform leasehold._event('lease.extended', 'info', state.name, state.run_id, state.holder,
    format('Extended the lease of lock "%s" until %s: holder %s has not renewed it in time, and is alive (%s).',
      state.name, leasehold._iso(extended), coalesce(nullif(state.holder, ''), 'unknown'), evidence ->> 'detail'),
    jsonb_build_object('endedAt', leasehold._iso(state.lease_until), 'leaseUntil', leasehold._iso(extended),
      'probe', evidence ->> 'detail'), now_at);
  state.lease_until := extended;
  return state;
end $$;
