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
  select m.type, m.sql, substr(m.sql, length(rtrim(m.sql, replace(m.sql, ')', ''))) + 1) like '%strict%' as is_strict
  from {master} as m where m.type in ('table', 'view') and m.name = {name as text} collate nocase
), leasehold_column as (
  select c.name, c.pk, c.type, c."notnull" as is_not_null, c.hidden in (2, 3) as is_generated
  from pragma_table_xinfo({name as text}, {schema as text}) as c
), leasehold_wanted (name) as (
  values ({status as text}), ({claimed_at as text}), ({claimed_by as text}), ({claim_token as text}),
    ({claimed_until as text}), ({begun_at as text}), ({attempts as text})
), leasehold_key (name) as (
  select value from json_each({keys as list})
), leasehold_own as (
  select c.* from leasehold_column as c join leasehold_wanted as w on c.name = w.name collate nocase
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
select 1, 'Column ' || c.name || ' is generated: nothing can be written to it.'
from leasehold_own as c where c.is_generated
union all
select 1, 'Column ' || c.name || ' is not null; it must take null, for a row that has not begun.'
from leasehold_own as c where c.name = {begun_at as text} collate nocase and c.is_not_null
union all
select 1, 'Column ' || c.name || ' of a strict table is ' || c.type || '; it must be ' || case when c.name = {attempts as text} collate nocase then 'integer.' else 'text.' end
from leasehold_table as v join leasehold_own as c
where v.is_strict and case when c.name = {attempts as text} collate nocase then upper(c.type) not in ('INTEGER', 'INT', 'ANY') else upper(c.type) not in ('TEXT', 'ANY') end
union all
select 0, 'A check is on this table: it must accept what each claim, begin, verdict and sweep writes, all words of ' || {status as text} || ' included.'
from leasehold_table as v where v.type = 'table' and v.sql like '%check%(%'
union all
select 0, 'A foreign key is on column ' || c.name || ': what each claim, begin, verdict and sweep writes must be there.'
from pragma_foreign_key_list({name as text}, {schema as text}) as f join leasehold_own as c on c.name = f."from" collate nocase
union all
select 1, 'Unique index ' || i.name || ' has no column but ' || group_concat(x.name, ', ') || ': the rows of one claim have the same there.'
from pragma_index_list({name as text}, {schema as text}) as i join pragma_index_info(i.name, {schema as text}) as x
where i."unique"
group by i.name
having count(*) = sum(lower(coalesce(x.name, '')) in (select lower(w.name) from leasehold_wanted as w))
union all
select 0, 'Column ' || c.name || ' of the id may be null: rows without it are never claimed.'
from leasehold_key as k join leasehold_column as c on c.name = k.name collate nocase
where not c.is_not_null and exists (select 1 from leasehold_table as v where v.type = 'table')
  and not (c.pk > 0 and upper(c.type) = 'INTEGER' and (select count(*) from leasehold_column as p where p.pk > 0) = 1)
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
where g.type = 'trigger' and g.tbl_name = {name as text} collate nocase
  and replace(replace(replace(replace(replace(replace(g.sql, char(9), ' '), char(10), ' '), char(12), ' '), char(13), ' '), '/*', ' '), '*/', ' ') like '% update %'
order by 1 desc, 2;
