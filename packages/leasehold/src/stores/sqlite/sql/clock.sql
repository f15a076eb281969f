-- The store's clock; how its row is read and renewed: store-clock.ts.

-- name: clock_base
select boot_id, wall_base, boot_base from clock where one = 1;

-- name: rebase_clock
insert into clock (one, boot_id, wall_base, boot_base)
values (1, :boot_id, :wall_base, :boot_base)
on conflict (one) do update set
  boot_id = excluded.boot_id, wall_base = excluded.wall_base, boot_base = excluded.boot_base;
