-- Append-only.

-- name: insert_event
insert into events (at, kind, severity, lock, run_id, holder, message, data)
values (:at, :kind, :severity, :lock, :run_id, :holder, :message, :data)
returning seq;

-- name: insert_alert
insert into alerts (event_id, dedup_key, next_attempt_at)
values (:event_id, :dedup_key, :now);

-- name: events_newest
select seq, at, kind, severity, lock, run_id, holder, message, data
from events order by seq desc limit :limit;

-- name: events_of_lock
select seq, at, kind, severity, lock, run_id, holder, message, data
from events where lock = :lock and (:kind is null or kind = :kind)
order by seq desc limit :limit;

-- name: events_of_kind
select seq, at, kind, severity, lock, run_id, holder, message, data
from events where kind = :kind
order by seq desc limit :limit;
