-- The outbox. A row due too late, or taken for too long, was written by a faulty clock: it counts as due, and as free.
-- Untried, a row is due since its event; one that is older than :old is never handed out, only given up.

-- name: next_due
select 1 as is_due from alerts
where state = 'pending'
  and (next_attempt_at <= :now or next_attempt_at > :latest)
  and (taken_until is null or taken_until <= :now or taken_until > :taken_latest)
limit 1;

-- name: due_alerts
select a.event_id, a.alert_id, a.dedup_key, a.attempts, a.delivered_to,
  e.seq, e.at, e.kind, e.severity, e.lock, e.pool, e.record_id, e.run_id, e.holder, e.message, e.data
from alerts a join events e on e.seq = a.event_id
where a.state = 'pending'
  and (a.next_attempt_at <= :now or a.next_attempt_at > :latest)
  and (a.taken_until is null or a.taken_until <= :now or a.taken_until > :taken_latest)
  and (a.attempts > 0 or a.next_attempt_at > :old)
order by a.next_attempt_at, a.event_id limit :limit;

-- name: take_alert
update alerts set taken_by = :taker, taken_until = :taken_until, attempts = attempts + 1 where event_id = :event_id;

-- name: untried_alerts
select event_id from alerts
where state = 'pending' and attempts = 0 and next_attempt_at <= :old
order by event_id limit :limit;

-- name: give_up_alert
update alerts set state = 'dead', taken_by = null, taken_until = null, settled_at = :now,
  last_error = coalesce(:error, last_error)
where event_id = :event_id;

-- name: alert_by_id
select a.event_id, a.state, a.attempts, a.taken_by, a.delivered_to, e.at, e.kind, e.lock, e.run_id
from alerts a join events e on e.seq = a.event_id
where a.alert_id = :alert_id;

-- name: note_delivered
update alerts set delivered_to = :delivered_to where event_id = :event_id;

-- name: finish_alert
update alerts set state = 'delivered', taken_by = null, taken_until = null, settled_at = :now where event_id = :event_id;

-- name: put_back_alert
update alerts set taken_by = null, taken_until = null, next_attempt_at = :next_attempt_at, last_error = :error
where event_id = :event_id;

-- name: pending_alerts
select count(*) as pending, min(e.at) as oldest_at,
  count(*) filter (where a.attempts > 0 and a.last_error is not null) as failing
from alerts a join events e on e.seq = a.event_id where a.state = 'pending';

-- name: newest_failure
select last_error from alerts
where state = 'pending' and attempts > 0 and last_error is not null
order by event_id desc limit 1;

-- name: dead_alerts
select count(*) as dead from alerts where state = 'dead';
