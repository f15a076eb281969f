-- What `leasehold sql sweep` prints for PostgreSQL.

-- step: sweep
-- values: none
-- Settles claims that are over: {sweep says}
-- At most 1,000 rows a call; what comes back is what was settled. Every few minutes, or before each claim.
with leasehold_late as materialized (
  select {keys t}
  from {table} as t
  where t.{status} = {=claimed} and {known keys t} and {is late t}
  limit 1000
  for update skip locked
)
update {table} as t
set {status} = case when not {has begun t} then {=free} when {has begun t} then {after begun t} else t.{status} end
from leasehold_late as late
where {match t late} and t.{status} = {=claimed}
returning {keys t}, t.{status}, t.{claimed_by}, t.{begun_at}, t.{attempts};

-- step: reviews
-- values: none
-- What waits for a person: ask the provider whether it happened, then "finish" or "requeue".
select {keys t}, t.{claimed_by}, t.{claimed_at}, t.{begun_at}, t.{attempts}
from {table} as t
where t.{status} = {=review}
order by t.{begun_at}, {keys t}
limit 100;

-- step: finish
-- values: key
-- A person found that the effect happened. No row: it does not wait for a person any more.
update {table} as t
set {status} = {=done}
where {key t} and t.{status} in ({=review}, {=failed})
returning {keys t}, t.{status};

-- step: requeue
-- values: key
-- A person found that the effect did not happen. Attempts are counted anew.
update {table} as t
set {status} = {=free}, {attempts} = 0
where {key t} and t.{status} in ({=review}, {=failed})
returning {keys t}, t.{status};
