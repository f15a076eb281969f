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
  select a.attname::text as name, a.attnum, a.atttypid, y.typcategory, format_type(a.atttypid, null) as type, a.attnotnull,
    a.attgenerated <> '' or a.attidentity = 'a' as is_generated,
    case when a.atttypid in ('varchar'::regtype, 'bpchar'::regtype) and a.atttypmod > 4 then a.atttypmod - 4 end as characters,
    has_column_privilege(c.oid, a.attnum, 'select') as may_read, has_column_privilege(c.oid, a.attnum, 'update') as may_write
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
), leasehold_word (word) as (
  select unnest(array[{known words}]::text[])
), leasehold_own as (
  select a.* from leasehold_column as a join leasehold_wanted as w on w.name = a.name
), leasehold_check as (
  select k.conname, k.conkey, a.name, a.atttypid, a.typcategory,
    k.conkey = array[a.attnum] and a.name = {status as text} and a.typcategory = 'S' as is_of_status,
    pg_get_expr(k.conbin, k.conrelid) as expression
  from leasehold_table as c
  join pg_constraint as k on k.conrelid = c.oid and k.contype = 'c'
  join leasehold_own as a on a.attnum = any (k.conkey)
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
select true, 'Column ' || quote_ident(a.name) || ' is generated: nothing can be written to it.'
from leasehold_own as a where a.is_generated
union all
select true, 'Column ' || quote_ident(a.name) || ' is not null; it must take null, for a row that has not begun.'
from leasehold_own as a where a.name = {begun_at as text} and a.attnotnull
union all
select true, 'Column ' || quote_ident(a.name) || ' is an enum without ' || quote_literal(w.word) || ': add it.'
from leasehold_own as a cross join leasehold_word as w
where a.name = {status as text} and a.typcategory = 'E'
  and not exists (select from pg_enum as e where e.enumtypid = a.atttypid and e.enumlabel = w.word)
union all
select true, 'Column ' || quote_ident(a.name) || ' takes ' || a.characters || ' characters; it must take ' || n.needed || '.'
from leasehold_own as a
cross join lateral (
  select case a.name
    when {status as text} then (select max(length(w.word)) from leasehold_word as w)
    when {claim_token as text} then 36
    when {claimed_by as text} then 64
  end as needed
) as n
where a.characters < n.needed
union all
select true, 'Check ' || quote_ident(k.conname) || ' refuses ' || quote_literal(w.word) || ' in column ' || quote_ident(k.name) || '.'
from leasehold_check as k cross join leasehold_word as w
where case when k.is_of_status then query_to_xml(
  format('select (%s) is false as refused from (select %L::%s as %I) as leasehold_row', k.expression, w.word, k.atttypid::regtype, k.name),
  false, true, '')::text like '%<refused>true<%' else false end
union all
select distinct false, 'Check ' || quote_ident(k.conname) || ' is asked on each claim, begin, verdict and sweep: it must accept what they write.'
from leasehold_check as k where not k.is_of_status
union all
select false, 'Foreign key ' || quote_ident(k.conname) || ' is asked on each claim, begin, verdict and sweep: what they write must be there.'
from leasehold_table as c join pg_constraint as k on k.conrelid = c.oid
where k.contype = 'f' and exists (select from leasehold_own as a where a.attnum = any (k.conkey))
union all
select true, 'Unique index ' || quote_ident(x.relname) || ' has no column but ' || string_agg(quote_ident(a.name), ', ' order by a.name) || ': the rows of one claim have the same there.'
from leasehold_table as c
join pg_index as i on i.indrelid = c.oid and i.indisunique and i.indexprs is null
join pg_class as x on x.oid = i.indexrelid
join leasehold_column as a on a.attnum = any (i.indkey[0:i.indnkeyatts - 1])
group by x.oid, x.relname
having bool_and(a.name in (select w.name from leasehold_wanted as w))
union all
select true, 'This role may not write column ' || quote_ident(a.name) || '.'
from leasehold_own as a where not a.may_write
union all
select true, 'This role may not read column ' || quote_ident(a.name) || ', and a claim gives whole rows.'
from leasehold_column as a where not a.may_read
union all
select false, 'Column ' || quote_ident(k.name) || ' of the id may be null: rows without it are never claimed.'
from leasehold_key as k join leasehold_column as a on a.name = k.name
where not a.attnotnull and exists (select from leasehold_table as c where c.relkind in ('r', 'p'))
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
select false, 'Trigger ' || quote_ident(g.tgname) || ' runs on each claim, begin, verdict and sweep, as on any update'
  || case when g.tgtype & 3 = 3 then ', and before it: a row for which it returns null is never claimed.' else '.' end
from leasehold_table as c join pg_trigger as g on g.tgrelid = c.oid
where not g.tgisinternal and g.tgenabled <> 'D' and g.tgtype & 16 = 16
union all
select false, 'Row security is on: a claim sees only the rows that its role may see and update.'
from leasehold_table as c where c.relrowsecurity
order by is_problem desc, finding;
