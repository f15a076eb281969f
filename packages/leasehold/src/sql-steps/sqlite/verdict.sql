-- What `leasehold sql verdict` prints for SQLite.

-- step: done
-- values: key, token
-- The effect happened. Directly after it, row by row; needs no live lease, and may be repeated.
update {table} as t
set {status} = {=done}
where {key t} and t.{claim_token} = {$token} and t.{status} in ({known words})
returning {keys}, {status};

-- step: failed
-- values: key, token
-- The effect certainly did not happen, and may be tried again: the row is free again, or for a person after {attempts max} begins.
update {table} as t
set {status} = case
  when t.{status} <> {=claimed} then t.{status}
  when coalesce(t.{attempts}, 0) >= {attempts max} then {=review}
  else {=free}
end
where {key t} and t.{claim_token} = {$token} and t.{status} in ({=claimed}, {=free})
returning {keys}, {status}, {attempts};

-- step: failed-permanent
-- values: key, token
-- The effect did not happen and never will: a wrong address, a deleted customer.
update {table} as t
set {status} = {=failed}
where {key t} and t.{claim_token} = {$token} and t.{status} in ({=claimed}, {=failed})
returning {keys}, {status};

-- step: unknown
-- values: key, token
-- It may have happened: timed out, connection lost, 5xx after sending. Nobody can ask a provider here, so a person looks at it.
update {table} as t
set {status} = {=review}
where {key t} and t.{claim_token} = {$token} and t.{status} in ({=claimed}, {=review})
returning {keys}, {status};

-- step: review
-- values: key, token
-- A person shall look at it, whatever happened.
update {table} as t
set {status} = {=review}
where {key t} and t.{claim_token} = {$token} and t.{status} in ({=claimed}, {=review})
returning {keys}, {status};
