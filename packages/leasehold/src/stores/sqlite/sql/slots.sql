-- What became of the slots that starts have named.

-- name: slot_of_lock
select is_done, run_id, holder, started_at, ended_at from slots where lock = :lock and slot_at = :slot_at;

-- A start that did not get the lock only names its slot; one that did is the slot's latest run, unless it is done.
-- name: name_slot
insert into slots (lock, slot_at, run_id, holder, started_at)
values (:lock, :slot_at, :run_id, :holder, :started_at)
on conflict (lock, slot_at) do update set
  run_id = excluded.run_id, holder = excluded.holder, started_at = excluded.started_at, ended_at = null
where :is_run = 1 and is_done = 0;

-- name: drop_old_slots
delete from slots where lock = :lock and slot_at < (
  select slot_at from slots where lock = :lock order by slot_at desc limit 1 offset :kept - 1
);

-- name: finish_slot
insert into slots (lock, slot_at, is_done, run_id, holder, started_at, ended_at)
values (:lock, :slot_at, 1, :run_id, :holder, :started_at, :ended_at)
on conflict (lock, slot_at) do update set
  is_done = 1, run_id = excluded.run_id, holder = excluded.holder, started_at = excluded.started_at,
  ended_at = excluded.ended_at;

-- name: missed_slots
select slot_at from slots
where lock = :lock and is_done = 0
  and slot_at > coalesce(:last_success_slot_at, -8640000000000001) and slot_at < coalesce(:own_slot_at, 8640000000000001)
order by slot_at;
