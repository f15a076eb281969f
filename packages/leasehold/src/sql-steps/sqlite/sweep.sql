-- What `leasehold sql sweep` prints for SQLite.

-- step: sweep
-- values: none
-- Settles claims that are over: {sweep says}
-- What comes back is what was settled. Every few minutes, or before each claim.
update {table} as t
set {status} = case when not {has begun t} then {=free} else {after begun t} end
where t.{status} = {=claimed} and {is late t}
returning {keys}, {status}, {claimed_by}, {begun_at}, {attempts};

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
returning {keys}, {status};

-- step: requeue
-- values: key
-- A person found that the effect did not happen. Attempts are counted anew.
update {table} as t
set {status} = {=free}, {attempts} = 0
where {key t} and t.{status} in ({=review}, {=failed})
returning {keys}, {status};
