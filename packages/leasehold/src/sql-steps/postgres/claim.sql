-- What `leasehold sql claim` prints for PostgreSQL. {…} is filled in by fill.ts; lines before the first step are not printed.

-- step: next
-- values: holder
-- Claims the next {limit} rows at most and gives them back, in order, with their claim_token. No row: nothing is free now.
-- A claim that ended before it began counts as free. One that ended after it began is settled on the way: see the sweep.
-- Rows that others are claiming at this moment are passed by, so that nobody waits and nothing can deadlock.
with leasehold_late as materialized (
  select {keys t}
  from {table} as t
  where t.{status} = {=claimed}
    and {known keys t}
    and {is late t}
    and {has begun t}
  limit 1000
  for update skip locked
), leasehold_settled as (
  update {table} as t
  set {status} = {after begun t}
  from leasehold_late as late
  where {match t late}
), leasehold_given_up as materialized (
  select {keys t}
  from {table} as t
  where {is given up t} and {known keys t}
  order by {order t}
  limit {limit}
  for update skip locked
), leasehold_free as materialized (
  select {keys t}
  from {table} as t
  where {is free t} and {known keys t}
  order by {order t}
  limit {limit}
  for update skip locked
), leasehold_picked as materialized (
  select {keys} from leasehold_given_up
  union all
  select {keys} from leasehold_free
  limit {limit}
), leasehold_claim as materialized (
  select gen_random_uuid()::text as token, clock_timestamp() as at
), leasehold_taken as (
  update {table} as t
  set {status} = {=claimed},
    {claimed_at} = claim.at,
    {claimed_by} = {$holder}::text,
    {claim_token} = claim.token,
    {claimed_until} = claim.at + {lease},
    {begun_at} = {begun at claim},
    {attempts} = coalesce(t.{attempts}, 0) + {begins at claim}
  from leasehold_picked as picked, leasehold_claim as claim
  where {match t picked}
    and {may be claimed t}
  returning t.*
)
select * from leasehold_taken order by {order};

-- step: ids
-- values: holder, ids
-- Claims those of the rows named that are free, {limit} at most, and gives them back with their claim_token.
-- What comes back is yours, and nothing else; "why" tells about the others. ids is a JSON list: {ids example}.
with leasehold_late as materialized (
  select {keys t}
  from {table} as t
  where t.{status} = {=claimed}
    and {known keys t}
    and {is late t}
    and {has begun t}
  limit 1000
  for update skip locked
), leasehold_settled as (
  update {table} as t
  set {status} = {after begun t}
  from leasehold_late as late
  where {match t late}
), leasehold_offered as materialized (
  select {keys named}, min(item.place) as leasehold_place
  from jsonb_array_elements({$ids}::jsonb) with ordinality as item(value, place)
  cross join lateral jsonb_populate_record({any row}, {json key}) as named
  group by {keys named}
), leasehold_picked as materialized (
  select {keys t}
  from {table} as t
  join leasehold_offered as offered on {match t offered}
  where {may be claimed t}
  order by offered.leasehold_place
  limit {limit}
  for update of t skip locked
), leasehold_claim as materialized (
  select gen_random_uuid()::text as token, clock_timestamp() as at
), leasehold_taken as (
  update {table} as t
  set {status} = {=claimed},
    {claimed_at} = claim.at,
    {claimed_by} = {$holder}::text,
    {claim_token} = claim.token,
    {claimed_until} = claim.at + {lease},
    {begun_at} = {begun at claim},
    {attempts} = coalesce(t.{attempts}, 0) + {begins at claim}
  from leasehold_picked as picked, leasehold_claim as claim
  where {match t picked}
    and {may be claimed t}
  returning t.*
)
select * from leasehold_taken order by {order};

-- step: why
-- values: ids
-- What stands in the way of the rows named: who has claimed them and until when, or how they were settled.
with leasehold_offered as materialized (
  select distinct {keys named}
  from jsonb_array_elements({$ids}::jsonb) as item(value)
  cross join lateral jsonb_populate_record({any row}, {json key}) as named
)
select {keys t}, t.{status}, t.{claimed_by}, t.{claimed_at}, t.{claimed_until}, t.{begun_at}, t.{attempts}
from {table} as t
join leasehold_offered as offered on {match t offered}
order by {keys t};

-- step: begin
-- values: key, token
-- Directly before the effect (the mail, the call). A row comes back: go on. None: the claim is over, so leave the row alone.
-- May be repeated, and counts once.
with leasehold_held as materialized (
  select {keys t}, t.{claimed_until} as leasehold_until
  from {table} as t
  where {key t} and t.{claim_token} = {$token} and t.{status} = {=claimed}
  for update
)
update {table} as t
set {begun_at} = coalesce(t.{begun_at}, clock_timestamp()),
  {attempts} = coalesce(t.{attempts}, 0) + case when t.{begun_at} is null then 1 else 0 end
from leasehold_held as held
where {match t held} and t.{claim_token} = {$token} and t.{status} = {=claimed}
  and held.leasehold_until > clock_timestamp() + {call timeout}
returning {keys t}, t.{attempts}, t.{claimed_until};

-- step: extend
-- values: token
-- Between stretches of work: the claim's rows that are not settled get another lease. No row: the claim is over, so stop.
with leasehold_held as materialized (
  select {keys t}, t.{claimed_until} as leasehold_until
  from {table} as t
  where t.{claim_token} = {$token} and t.{status} = {=claimed}
  order by {keys t}
  for update
)
update {table} as t
set {claimed_until} = clock_timestamp() + {lease}
from leasehold_held as held
where {match t held} and t.{claim_token} = {$token} and t.{status} = {=claimed}
  and held.leasehold_until > clock_timestamp()
returning {keys t}, t.{claimed_until};

-- step: return-unbegun
-- values: token
-- Gives back the claim's rows that were never begun.
with leasehold_held as materialized (
  select {keys t}
  from {table} as t
  where t.{claim_token} = {$token} and t.{status} = {=claimed} and t.{begun_at} is null
  order by {keys t}
  for update
)
update {table} as t
set {status} = {=free}
from leasehold_held as held
where {match t held} and t.{claim_token} = {$token} and t.{status} = {=claimed} and t.{begun_at} is null
returning {keys t}, t.{status};

-- step: return-unworked
-- values: key, token
-- Gives back one row that you have certainly not begun to work. It counts as never begun.
update {table} as t
set {status} = {=free},
  {begun_at} = null,
  {attempts} = greatest(coalesce(t.{attempts}, 0) - 1, 0)
where {key t} and t.{claim_token} = {$token} and t.{status} = {=claimed}
returning {keys t}, t.{status};
