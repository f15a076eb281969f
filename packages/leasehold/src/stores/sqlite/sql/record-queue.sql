-- The queue in its order. Two versions of one id are never out at the same time; where none but the empty one is under way in
-- the pool, which is looked at once, no other can be.

-- name: next_due
select r.no, r.id, r.idle_requeues, r.send_before from records r
where r.pool = :pool and r.state = 'queued' and r.waits = 0 and r.not_before is not null and r.not_before <= :now
  and r.idle_requeues < :alone and (r.send_before is null or r.send_before < :now or r.send_before >= :until)
  and (
    not exists (
      select 1 from records v
      where v.pool = :pool and v.version <> '' and v.state in ('queued', 'claimed', 'review')
    )
    or not exists (
      select 1 from records o where o.pool = r.pool and o.id = r.id and o.version <> r.version and o.state = 'claimed'
    )
  )
order by r.not_before, r.no limit :limit + 0;

-- name: next_in_queue
select r.no, r.id, r.idle_requeues, r.send_before from records r
where r.pool = :pool and r.state = 'queued' and r.waits = 0 and r.not_before is null
  and r.idle_requeues < :alone and (r.send_before is null or r.send_before < :now or r.send_before >= :until)
  and (
    not exists (
      select 1 from records v
      where v.pool = :pool and v.version <> '' and v.state in ('queued', 'claimed', 'review')
    )
    or not exists (
      select 1 from records o where o.pool = r.pool and o.id = r.id and o.version <> r.version and o.state = 'claimed'
    )
  )
order by r.no limit :limit + 0;
