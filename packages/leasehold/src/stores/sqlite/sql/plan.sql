-- When starts of a lock are planned.

-- name: note_plan
update locks set
  schedule = :schedule, timezone = :timezone, next_slot_at = :next_slot_at, overdue_at = :overdue_at,
  overdue_after_ms = :overdue_after_ms
where name = :name;
