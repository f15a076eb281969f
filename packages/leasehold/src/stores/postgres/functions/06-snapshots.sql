-- Under REPEATABLE READ and SERIALIZABLE a call sees no version that has arrived since its transaction's first statement, nor that its pool has
-- versions, and would work another one beside it. The pool's row says the latter. For the former nothing that wrote may have
-- committed since: what was under way then, and what has got its number between then and now.
create or replace function leasehold._see_all_arrivals(pool text, is_versioned boolean) returns void
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
declare
  seen pg_snapshot := pg_current_snapshot();
  first_unseen bigint := pg_snapshot_xmax(seen)::text::bigint;
  next_number bigint;
begin
  perform from leasehold.pools p where p.pool = _see_all_arrivals.pool for share;
  next_number := leasehold._next_number();
  if is_versioned and (next_number - first_unseen > 10000 or exists (
    select from (
      select pg_snapshot_xip(seen) as number
      union all
      select g.number::text::xid8 from generate_series(first_unseen, next_number - 1) g (number)
    ) t
    where coalesce(pg_xact_status(t.number), 'committed') = 'committed'
  )) then
    raise exception using errcode = '40001', message = format(
      'others have written since this transaction began, and it can''t see what versions they made known to pool "%s"; repeat it', pool);
  end if;
end $$;

-- The number that a transaction gets now: that of a row which is written and undone at once. The row has its lower half, and
-- this transaction's own number, which is older, the upper.
create or replace function leasehold._next_number() returns bigint
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
declare
  own bigint := pg_current_xact_id()::text::bigint;
  lower_half bigint;
begin
  begin
    insert into leasehold.queue_marks as m (pool, low_no, scanned_at) values (gen_random_uuid()::text, 0, '-infinity')
    returning m.xmin::text::bigint into lower_half;
    raise exception using errcode = 'LH000';
  exception
    when sqlstate 'LH000' then
      null;
  end;
  return own + (lower_half - own % 4294967296 + 4294967296) % 4294967296;
end $$;
