-- What `leasehold sql claim` prints for SQLite. {…} is filled in by fill.ts; lines before the first step are not printed.

-- step: next
-- values: holder
-- Claims the next {limit} rows at most and gives them back, in no order, with their claim_token. No row: nothing is free now.
-- A claim that ended before it began counts as free. Those that ended after it began need the sweep: run it before.
update {table} as t
set {status} = {=claimed},
  {claimed_at} = {now},
  {claimed_by} = {$holder},
  {claim_token} = (select lower(hex(randomblob(16)))),
  {claimed_until} = {now and lease},
  {begun_at} = {begun at claim},
  {attempts} = coalesce(t.{attempts}, 0) + {begins at claim}
where ({keys t}) in (
  select * from (
    select {keys p} from {table} as p where {is given up p} and {known keys p} order by {order p} limit {limit}
  )
  union all
  select * from (
    select {keys p} from {table} as p where {is free p} and {known keys p} order by {order p} limit {limit}
  )
  limit {limit}
)
returning *;

-- step: ids
-- values: holder, ids
-- Claims those of the rows named that are free, {limit} at most, and gives them back with their claim_token.
-- What comes back is yours, and nothing else; "why" tells about the others. ids is a JSON list: {ids example}.
update {table} as t
set {status} = {=claimed},
  {claimed_at} = {now},
  {claimed_by} = {$holder},
  {claim_token} = (select lower(hex(randomblob(16)))),
  {claimed_until} = {now and lease},
  {begun_at} = {begun at claim},
  {attempts} = coalesce(t.{attempts}, 0) + {begins at claim}
where ({keys t}) in (
  select {keys p}
  from json_each({$ids}) as item
  join {table} as p on {json match p}
  where {may be claimed p}
  group by {keys p}
  order by min(item.key)
  limit {limit}
)
returning *;

-- step: why
-- values: ids
-- What stands in the way of the rows named: who has claimed them and until when, or how they were settled.
select distinct {keys p}, p.{status}, p.{claimed_by}, p.{claimed_at}, p.{claimed_until}, p.{begun_at}, p.{attempts}
from json_each({$ids}) as item
join {table} as p on {json match p}
order by {keys p};

-- step: begin
-- values: key, token
-- Directly before the effect (the mail, the call). A row comes back: go on. None: the claim is over, so leave the row alone.
-- May be repeated, and counts once.
update {table} as t
set {begun_at} = coalesce(t.{begun_at}, {now}),
  {attempts} = coalesce(t.{attempts}, 0) + (t.{begun_at} is null)
where {key t} and t.{claim_token} = {$token} and t.{status} = {=claimed}
  and t.{claimed_until} > {now and call timeout}
returning {keys}, {attempts}, {claimed_until};

-- step: extend
-- values: token
-- Between stretches of work: the claim's rows that are not settled get another lease. No row: the claim is over, so stop.
update {table} as t
set {claimed_until} = {now and lease}
where t.{claim_token} = {$token} and t.{status} = {=claimed} and t.{claimed_until} > {now}
returning {keys}, {claimed_until};

-- step: return-unbegun
-- values: token
-- Gives back the claim's rows that were never begun.
update {table} as t
set {status} = {=free}
where t.{claim_token} = {$token} and t.{status} = {=claimed} and t.{begun_at} is null
returning {keys}, {status};

-- step: return-unworked
-- values: key, token
-- Gives back one row that you have certainly not begun to work. It counts as never begun.
update {table} as t
set {status} = {=free},
  {begun_at} = null,
  {attempts} = max(coalesce(t.{attempts}, 0) - 1, 0)
where {key t} and t.{claim_token} = {$token} and t.{status} = {=claimed}
returning {keys}, {status};
