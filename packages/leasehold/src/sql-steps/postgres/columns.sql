-- What `leasehold sql columns` prints for PostgreSQL.

-- step: add
-- values: none
-- Adds the columns that are missing; may be repeated.
-- Rows that are there already {rows there}
alter table {table}
  add column if not exists {status} text,
  add column if not exists {claimed_at} timestamptz,
  add column if not exists {claimed_by} text,
  add column if not exists {claim_token} text,
  add column if not exists {claimed_until} timestamptz,
  add column if not exists {begun_at} timestamptz,
  add column if not exists {attempts} integer not null default 0;

-- step: default
-- values: none
-- Rows that are inserted from now on are free. Leave it out where your own code says which are.
alter table {table} alter column {status} set default {=free};

-- step: index
-- values: none
-- So that a claim doesn't read rows that are done. On a large table that is in use: create index concurrently, one by one.
create index if not exists {index free} on {table} ({order}) where {is free};
create index if not exists {index late} on {table} ({claimed_until}) where {status} = {=claimed};
create index if not exists {index token} on {table} ({claim_token}) where {status} = {=claimed};

-- step: check
-- values: none
-- Says what stands in the way, a row each; no row with is_problem: it works.
with leasehold_table as (
  select c.oid, c.relkind, c.relrowsecurity, c.relnamespace
  from pg_class as c
  where c.oid = to_regclass({table as text})
), leasehold_column as (
  select a.attname::text as name, a.attnum, a.atttypid, y.typcategory, format_type(a.atttypid, null) as type
  from leasehold_table as c
  join pg_attribute as a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  join pg_type as y on y.oid = a.atttypid
), leasehold_wanted (name, categories, types, wanted) as (
  values
    ({status as text}, array['S', 'E'], array[]::text[], 'text'),
    ({claimed_by as text}, array['S'], array[]::text[], 'text'),
    ({claim_token as text}, array['S'], array[]::text[], 'text'),
    ({claimed_at as text}, array[]::text[], array['timestamp with time zone'], 'timestamptz'),
    ({claimed_until as text}, array[]::text[], array['timestamp with time zone'], 'timestamptz'),
    ({begun_at as text}, array[]::text[], array['timestamp with time zone'], 'timestamptz'),
    ({attempts as text}, array[]::text[], array['smallint', 'integer', 'bigint'], 'integer')
), leasehold_key (name) as (
  select unnest({keys as list})
)
select true as is_problem, 'There is no such table, or this role may not see its schema.' as finding
where not exists (select from leasehold_table)
union all
select true, 'This is no table but a ' || case c.relkind when 'v' then 'view' when 'm' then 'materialized view' when 'f' then 'foreign table' else 'relation of another kind' end || ': name the table behind it, since its rows can''t be claimed safely.'
from leasehold_table as c where c.relkind not in ('r', 'p')
union all
select true, 'Column ' || quote_ident(w.name) || ' is missing: run "add".'
from leasehold_wanted as w
where exists (select from leasehold_table) and not exists (select from leasehold_column as a where a.name = w.name)
union all
select true, 'Column ' || quote_ident(w.name) || ' is ' || a.type || '; it must be ' || w.wanted || '.'
from leasehold_wanted as w join leasehold_column as a on a.name = w.name
where not (a.typcategory = any (w.categories) or a.type = any (w.types))
union all
select true, 'Column ' || quote_ident(k.name) || ' of the id is missing: name the table''s own key with --id-column.'
from leasehold_key as k
where exists (select from leasehold_table) and not exists (select from leasehold_column as a where a.name = k.name)
union all
select true, 'No unique index is on exactly the columns of the id: two rows with one id would be claimed as one.'
from leasehold_table as c
where c.relkind in ('r', 'p') and not exists (
  select from pg_index as i
  where i.indrelid = c.oid and i.indisunique and i.indisvalid and i.indpred is null and i.indexprs is null
    and (
      select array_agg(a.name order by a.name collate "C")
      from leasehold_column as a where a.attnum = any (i.indkey[0:i.indnkeyatts - 1])
    ) = (select array_agg(k.name order by k.name collate "C") from leasehold_key as k)
)
union all
select true, 'It is partitioned by ' || quote_ident(a.name) || ', which a claim changes: rows would move while they are claimed.'
from leasehold_table as c
join pg_partitioned_table as p on p.partrelid = c.oid
join leasehold_column as a on a.attnum = any (p.partattrs)
join leasehold_wanted as w on w.name = a.name
union all
select true, 'Rule ' || quote_ident(r.rulename) || ' rewrites its updates: what a claim writes may never reach the table.'
from leasehold_table as c join pg_rewrite as r on r.ev_class = c.oid
where r.ev_type = '2'
union all
select false, 'Trigger ' || quote_ident(g.tgname) || ' runs on each claim, begin, verdict and sweep, as on any update.'
from leasehold_table as c join pg_trigger as g on g.tgrelid = c.oid
where not g.tgisinternal and g.tgenabled <> 'D' and g.tgtype & 16 = 16
union all
select false, 'Row security is on: a claim sees only the rows that its role may see and update.'
from leasehold_table as c where c.relrowsecurity
order by is_problem desc, finding;
