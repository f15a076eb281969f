-- When starts of a lock are planned: kept with the lock, so that it is noticed when no run gets through.

create function leasehold._check_plan(plan leasehold.start_plan) returns void
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
begin
  if num_nonnulls(plan.schedule, plan.timezone, plan.next_slot_at, plan.overdue_at) = 0 then
    return;
  end if;
  if num_nulls(plan.schedule, plan.timezone, plan.next_slot_at, plan.overdue_at) > 0 then
    perform leasehold._refuse('schedule, timezone, next_slot and overdue are given together or not at all');
  end if;
  perform leasehold._check_text(plan.schedule, 'schedule', 1024);
  perform leasehold._check_text(plan.timezone, 'timezone', 1024);
  -- A check of the table would refuse the row and show it, with the token of its holder.
  if not (least(plan.next_slot_at, plan.overdue_at) >= '0001-01-01 00:00:00+00'
    and greatest(plan.next_slot_at, plan.overdue_at) < '10000-01-01 00:00:00+00'
    and plan.overdue_at < clock_timestamp() + interval '8760000 hours') then
    perform leasehold._refuse('next_slot and overdue must be instants, overdue less than 1,000 years ahead');
  end if;
end $$;

-- domain/start-plan.ts, planToKeep. The row is locked by the start itself. A start that does not proceed brings what
-- its schedule is, but only one that does moves the instant from which nobody has got through.
create function leasehold._note_plan(run leasehold.runs, plan leasehold.start_plan, proceeds boolean) returns void
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
declare
  overdue timestamptz := date_trunc('milliseconds', plan.overdue_at);
  after_ms bigint := least(31536000000000, greatest(0, leasehold._ms_between(coalesce(run.slot_at, run.started_at), overdue)));
begin
  if plan.schedule is null then
    return;
  end if;
  if overdue <= run.started_at then
    overdue := leasehold._after(run.started_at, after_ms);
  end if;
  update leasehold.locks l set schedule = plan.schedule, timezone = plan.timezone,
    next_slot_at = date_trunc('milliseconds', plan.next_slot_at),
    overdue_at = case when proceeds or l.overdue_at is null then overdue else l.overdue_at end,
    overdue_after_ms = case when proceeds or l.overdue_at is null then after_ms else l.overdue_after_ms end
  where l.name = run.lock;
end $$;
