-- What version 1 made, mended.

-- leasehold.release: gives the lock back; only the holder's own token frees it.
--   status  'success', 'failure' or null (freed, the slot isn't counted); one is added, never changed
--   after   free the lock only that much later: for a cancelled step that may still be writing
--   lost    why this holder had given its lease up, in 1 to 1,024 bytes: event lease.lost, once a run
-- Answers released | expired | already_free | not_holder. What a late holder says of its run is kept. Errors: LH002.
create or replace function leasehold.release(
  lock_name text, token text, status text default null, after interval default null, lost text default null
) returns leasehold.release_answer
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp set lock_timeout = '5s' as $$
#variable_conflict use_column
declare
  current_run text;
  held_ms bigint;
  held_until timestamptz;
  begun_at timestamptz;
  slot_of_run timestamptz;
  now_at timestamptz;
  is_plain boolean;
begin
  is_plain := lost is null and (after is null or after = interval '0');
  if is_plain and (status is null or status in ('success', 'failure')) and octet_length(lock_name) <= 255 then
    -- The ordinary release: the current token, in time, nothing forced. Its run has no end and no status yet.
    select l.run_id, l.lease_ms, l.lease_until, coalesce(l.renewed_at, l.since) into current_run, held_ms, held_until, begun_at
    from leasehold.locks l
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
        -- In time as nearly all are, this comparison is all that it costs. A lease that was extended ends later than its length:
        -- it is counted from its grant or its latest renewal.
        if coalesce(now_at - begun_at >= held_ms * interval '0.5 milliseconds', true) then
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
