-- The lock's one row.

-- A row that was lost (a restore, somebody's delete) must not let fences start again, nor tell of old slots anew.
-- name: create_lock
insert into locks (name, fence, last_success_slot_at)
select :name, coalesce(max(fence), 0), (select max(slot_at) from slots where lock = :name and is_done = 1)
from runs where lock = :name;

-- name: lock_by_name
select
  name, fence, token, run_id, holder, holder_info, since, lease_ms, lease_until, renewed_at, progress,
  grace_ms, free_at, drain_until, skips_in_row, last_success_at, last_success_slot_at, paused_at,
  schedule, timezone, next_slot_at, overdue_at, overdue_after_ms, overdue_told, near_end_told_at
from locks where name = :name;

-- name: locks_in_order
select
  name, fence, token, run_id, holder, holder_info, since, lease_ms, lease_until, renewed_at, progress,
  grace_ms, free_at, drain_until, skips_in_row, last_success_at, last_success_slot_at, paused_at,
  schedule, timezone, next_slot_at, overdue_at, overdue_after_ms, overdue_told, near_end_told_at
from locks order by name limit :limit;

-- name: grant_lock
update locks set
  fence = :fence, token = :token, run_id = :run_id, holder = :holder, holder_info = :holder_info,
  since = :now, lease_ms = :lease_ms, lease_until = :lease_until, renewed_at = null, progress = null,
  grace_ms = :grace_ms, free_at = null, drain_until = null, skips_in_row = 0,
  overdue_at = coalesce(max(overdue_at, :now + overdue_after_ms), overdue_at)
where name = :name;

-- name: count_skip
update locks set skips_in_row = :skips_in_row where name = :name;

-- name: renew_lock
update locks set
  lease_ms = :lease_ms, lease_until = :lease_until, renewed_at = :now, progress = coalesce(:progress, progress),
  holder_info = coalesce(:holder_info, holder_info)
where name = :name;

-- name: extend_lock
update locks set lease_until = :lease_until where name = :name;

-- Token and drain are checked again here: two independent paths to the one write that must never free another's lock.
-- name: free_lock
update locks set
  token = null, lease_until = min(lease_until, :now), free_at = :free_at, drain_until = min(drain_until, :now)
where name = :name and token = :token;

-- name: draw_in
update locks set lease_until = :lease_until, drain_until = :drain_until where name = :name;

-- name: set_drain
update locks set drain_until = :drain_until where name = :name;

-- name: force_lock
update locks set drain_until = :drain_until, free_at = null where name = :name;

-- name: note_success
update locks set last_success_at = :now where name = :name;

-- The scalar max() is null where one of both is.
-- name: note_slot_success
update locks set last_success_slot_at = max(coalesce(last_success_slot_at, :slot_at), :slot_at) where name = :name;

-- name: set_pause
update locks set paused_at = :paused_at where name = :name;
