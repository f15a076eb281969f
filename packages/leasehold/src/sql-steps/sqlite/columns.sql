-- What `leasehold sql columns` prints for SQLite.

-- step: add
-- values: none
-- Adds the columns, one by one: "duplicate column name" is said of one that is there, and does no harm.
-- Rows that are there already {rows there}
-- New rows are inserted with a status of their own: {=free}.
alter table {table} add column {status} text;
alter table {table} add column {claimed_at} text;
alter table {table} add column {claimed_by} text;
alter table {table} add column {claim_token} text;
alter table {table} add column {claimed_until} text;
alter table {table} add column {begun_at} text;
alter table {table} add column {attempts} integer not null default 0;

-- step: index
-- values: none
-- So that a claim doesn't read rows that are done.
create index if not exists {index free} on {bare table} ({order}) where {is free};
create index if not exists {index late} on {bare table} ({claimed_until}) where {status} = {=claimed};
create index if not exists {index token} on {bare table} ({claim_token}) where {status} = {=claimed};

-- step: check
-- values: none
-- Says what stands in the way, a row each; no row with is_problem: it works.
with leasehold_table as (
  select m.type, m.sql from {master} as m where m.type in ('table', 'view') and m.name = {name as text} collate nocase
), leasehold_column as (
  select c.name, c.pk from pragma_table_info({name as text}, {schema as text}) as c
), leasehold_wanted (name) as (
  values ({status as text}), ({claimed_at as text}), ({claimed_by as text}), ({claim_token as text}),
    ({claimed_until as text}), ({begun_at as text}), ({attempts as text})
), leasehold_key (name) as (
  select value from json_each({keys as list})
)
select 1 as is_problem, 'There is no such table in this file.' as finding
where not exists (select 1 from leasehold_table)
union all
select 1, 'This is no table but a view: name the table behind it, since its rows can''t be claimed safely.'
from leasehold_table as v where v.type = 'view'
union all
select 1, 'This is a virtual table: name an ordinary one, since its module decides what an update does.'
from leasehold_table as v where v.sql like 'create virtual %'
union all
select 1, 'Column ' || w.name || ' is missing: run "add".'
from leasehold_wanted as w
where exists (select 1 from leasehold_table)
  and not exists (select 1 from leasehold_column as c where c.name = w.name collate nocase)
union all
select 1, 'Column ' || k.name || ' of the id is missing: name the table''s own key with --id-column.'
from leasehold_key as k
where exists (select 1 from leasehold_table)
  and not exists (select 1 from leasehold_column as c where c.name = k.name collate nocase)
union all
select 1, 'No unique index is on exactly the columns of the id: two rows with one id would be claimed as one.'
from leasehold_table as v
where v.type = 'table' and (
  select coalesce(group_concat(key), '') from (
    select lower(c.name) as key from leasehold_column as c where c.pk > 0 order by 1
  )
) is not (select group_concat(key) from (select lower(k.name) as key from leasehold_key as k order by 1))
and not exists (
  select 1 from pragma_index_list({name as text}, {schema as text}) as i
  where i."unique" and not i.partial and (
    select group_concat(key) from (
      select lower(x.name) as key from pragma_index_info(i.name, {schema as text}) as x order by 1
    )
  ) = (select group_concat(key) from (select lower(k.name) as key from leasehold_key as k order by 1))
)
union all
select 0, 'Trigger ' || g.name || ' runs on each claim, begin, verdict and sweep, as on any update.'
from {master} as g
where g.type = 'trigger' and g.tbl_name = {name as text} collate nocase and g.sql like '% update %'
order by 1 desc, 2;
