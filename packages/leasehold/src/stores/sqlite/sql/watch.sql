-- What nobody asks for is noticed; see watch.ts.

-- The second part is by no index: who holds a lock changes too often to keep one.
-- name: watched_locks
select name from (
  select name from (
    select name from locks where overdue_at is not overdue_told and overdue_at <= :now order by overdue_at limit :limit
  )
  union
  select name from locks
  where token is not null and drain_until is null and lease_until > :now and lease_until - lease_ms / 2 <= :now
    and (
      near_end_told_at is null
      or (lease_ms - lease_until + near_end_told_at) * 2 < lease_ms
      or (lease_ms - lease_until + near_end_told_at) * 10 < lease_ms * 8
        and (lease_ms - lease_until + :now) * 10 >= lease_ms * 8
    )
)
order by name limit :limit;

-- name: mark_overdue_told
update locks set overdue_told = overdue_at where name = :name;

-- name: mark_near_end_told
update locks set near_end_told_at = :now where name = :name;

-- Looks at the newest 100 starts only: those stay whatever retention takes.
-- name: skipped_since_run
with newest as (
  select seq, outcome, fence from runs where lock = :lock order by seq desc limit :limit
)
select count(*) as skipped from newest
where outcome = 'skipped' and seq > coalesce((select max(seq) from newest where fence is not null), 0);
