-- What no index finds and no event tells of, as a person's SQL or a restore in part may have left it.

-- Claimed records of which no claim that is open in their pool knows, as a person may have written them: the lease of whatever
-- has their token is over. No index finds them, so each call of a sweep looks through a page of the pool in the order of its
-- keys, and is_ended says that this was the last one. One that is brief begins anew once an hour.
create or replace function leasehold._settle_strays(
  settings leasehold.pools, rows_max integer, is_brief boolean, out counts integer[], out is_ended boolean
)
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
declare
  page_size constant integer := 10000;
  r leasehold.records;
  looked integer := 0;
  passed_by integer := 0;
  now_at timestamptz := leasehold._now();
  last_id text;
begin
  counts := array[0, 0, 0];
  is_ended := is_brief;
  if is_brief and settings.strays_looked_for_at between leasehold._after(now_at, -3600000) and now_at
    and settings.strays_from_id is null then
    return;
  end if;
  -- From where the one before has looked; the last one of a full page is looked at again with its other versions.
  last_id := (select k.id from leasehold.records k
    where k.pool = settings.pool and k.id >= coalesce(settings.strays_from_id, '')
    order by k.id, k.version offset page_size limit 1);
  for r in
    select l.* from leasehold.records l
    where l.pool = settings.pool and l.id >= coalesce(settings.strays_from_id, '') and (last_id is null or l.id <= last_id)
      and l.state = 'claimed' and l.unknown_at is null
      and not exists (select from leasehold.claims c where c.token = l.token
        and (c.lease_until > now_at or c.pool = l.pool and c.settled_at is null))
    limit rows_max for no key update of l skip locked
  loop
    looked := looked + 1;
    if not leasehold._locks_versions(r) then
      passed_by := passed_by + 1;
      continue;
    end if;
    counts := leasehold._counted(counts, leasehold._settle_record(r, null, settings, now_at));
  end loop;
  -- To the end of the page, also where all that it found is another's now: to come back for that would be a loop without end.
  if looked < rows_max or passed_by = looked then
    perform leasehold._free_stranded(settings.pool, settings.strays_from_id, last_id);
    update leasehold.pools p set strays_looked_for_at = now_at,
      strays_from_id = case when last_id <> settings.strays_from_id or settings.strays_from_id is null then last_id end
    where p.pool = (select k.pool from leasehold.pools k where k.pool = settings.pool for no key update skip locked)
    returning is_brief or p.strays_from_id is null into is_ended;
    -- Another transaction is changing the pool: its row tells no further.
    is_ended := coalesce(is_ended, true);
  end if;
end $$;

-- A version that waits though nothing of its id holds it back: the older one was settled or deleted by hand. The first to
-- arrive may go; one that another transaction has locked is passed by. The ids from from_id to to_id, null for no end.
create or replace function leasehold._free_stranded(pool text, from_id text, to_id text) returns void
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
begin
  update leasehold.records u set waits = false, updated_at = leasehold._now()
  where u.ctid = any(array(
    select w.ctid from leasehold.records w
    where w.pool = _free_stranded.pool and w.id >= coalesce(from_id, '') and (to_id is null or w.id <= to_id)
      and w.state = 'queued' and w.waits
      and not exists (select from leasehold.records o where o.pool = w.pool and o.id = w.id and (
        o.state in ('claimed', 'review') or o.state = 'queued' and (not o.waits or o.no < w.no)) offset 0)
    for no key update of w skip locked));
end $$;
