-- One row a start.

-- name: run_of_start
select
  run_id, holder, slot_at, outcome, token, fence, started_at, ended_at, lost_at, bypass_reason, status, previous, told,
  counted, loss_told, message
from runs where lock = :lock and run_id = :run_id and holder = :holder;

-- name: run_of_token
select
  run_id, holder, slot_at, outcome, token, fence, started_at, ended_at, lost_at, bypass_reason, status, previous, told,
  counted, loss_told, message
from runs where token = :token and lock = :lock;

-- A start seen before is decided anew on its own row. Never called for one that has proceeded: see acquire.ts.
-- name: write_run
insert into runs (
  run_id, lock, holder, holder_info, trigger, slot_at, again, outcome, reason, bypass_reason, fence, token,
  started_at, lease_ms, grace_ms, age_ms, previous_run_id, previous, told, counted, message
) values (
  :run_id, :lock, :holder, :holder_info, :trigger, :slot_at, :again, :outcome, :reason, :bypass_reason, :fence, :token,
  :started_at, :lease_ms, :grace_ms, :age_ms, :previous_run_id, :previous, :told, :counted, :message
) on conflict (lock, run_id, holder) do update set
  holder_info = excluded.holder_info, trigger = excluded.trigger, slot_at = excluded.slot_at, again = excluded.again,
  outcome = excluded.outcome, reason = excluded.reason, bypass_reason = excluded.bypass_reason,
  fence = excluded.fence, token = excluded.token,
  started_at = case when excluded.outcome in ('skipped', 'already_ran') then started_at else excluded.started_at end,
  lease_ms = excluded.lease_ms, grace_ms = excluded.grace_ms, age_ms = excluded.age_ms,
  previous_run_id = excluded.previous_run_id, previous = excluded.previous, told = excluded.told,
  counted = excluded.counted, message = excluded.message;

-- name: lose_run
update runs set lost_at = :now, renewed_at = :renewed_at
where token = :token and lock = :lock and ended_at is null;

-- name: mark_loss_told
update runs set loss_told = 1 where token = :token and lock = :lock and loss_told = 0;

-- name: end_run
update runs set ended_at = coalesce(ended_at, :now) where token = :token and lock = :lock;

-- name: note_holder_info
update runs set holder_info = :holder_info where token = :token and lock = :lock;

-- name: note_renewal
update runs set renewed_at = :renewed_at where token = :token and lock = :lock;

-- name: add_status
update runs set status = :status where token = :token and lock = :lock and status is null;

-- name: runs_newest
select
  r.run_id, r.lock, r.outcome, coalesce(r.reason, r.bypass_reason) as reason, r.slot_at, r.holder, r.holder_info,
  r.trigger, r.fence, r.started_at, r.ended_at, r.status, r.lease_ms,
  coalesce(l.renewed_at, r.renewed_at) as renewed_at, r.age_ms, r.previous_run_id, r.message
from runs r left join locks l on l.name = r.lock and l.token = r.token
order by r.seq desc limit :limit;

-- name: runs_of_lock
select
  r.run_id, r.lock, r.outcome, coalesce(r.reason, r.bypass_reason) as reason, r.slot_at, r.holder, r.holder_info,
  r.trigger, r.fence, r.started_at, r.ended_at, r.status, r.lease_ms,
  coalesce(l.renewed_at, r.renewed_at) as renewed_at, r.age_ms, r.previous_run_id, r.message
from runs r left join locks l on l.name = r.lock and l.token = r.token
where r.lock = :lock
order by r.seq desc limit :limit;

-- name: runs_of_run_id
select
  r.run_id, r.lock, r.outcome, coalesce(r.reason, r.bypass_reason) as reason, r.slot_at, r.holder, r.holder_info,
  r.trigger, r.fence, r.started_at, r.ended_at, r.status, r.lease_ms,
  coalesce(l.renewed_at, r.renewed_at) as renewed_at, r.age_ms, r.previous_run_id, r.message
from runs r left join locks l on l.name = r.lock and l.token = r.token
where r.run_id = :run_id and (:lock is null or r.lock = :lock)
order by r.seq desc limit :limit;

-- name: usual_durations
select ended_at - started_at as took_ms
from (
  select started_at, ended_at, status from runs where lock = :lock and fence is not null order by seq desc limit 200
)
where status = 'success' and ended_at is not null
limit 50;
