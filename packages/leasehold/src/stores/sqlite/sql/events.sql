-- Append-only.

-- name: insert_event
insert into events (at, kind, severity, lock, pool, record_id, run_id, holder, message, data)
values (:at, :kind, :severity, :lock, :pool, :record_id, :run_id, :holder, :message, :data)
returning seq;

-- name: insert_alert
insert into alerts (event_id, dedup_key, next_attempt_at)
values (:event_id, :dedup_key, :now);

-- One that was never tried and is too old to be tried counts for nothing (alerts.sql).
-- name: waiting_alert
select 1 as is_waiting from alerts
where dedup_key = :dedup_key and state = 'pending'
  and (taken_until is null or taken_until <= :now or taken_until > :taken_latest)
  and (attempts > 0 or next_attempt_at > :old)
limit 1;

-- name: events_newest
select seq, at, kind, severity, lock, pool, record_id, run_id, holder, message, data
from events order by seq desc limit :limit;

-- name: events_of_lock
select seq, at, kind, severity, lock, pool, record_id, run_id, holder, message, data
from events where lock = :lock and (:pool is null or pool = :pool) and (:kind is null or kind = :kind)
order by seq desc limit :limit;

-- name: events_of_pool
select seq, at, kind, severity, lock, pool, record_id, run_id, holder, message, data
from events where pool = :pool and (:kind is null or kind = :kind)
order by seq desc limit :limit;

-- name: events_of_kind
select seq, at, kind, severity, lock, pool, record_id, run_id, holder, message, data
from events where kind = :kind
order by seq desc limit :limit;
