-- Which tables and columns of a PostgreSQL database look like n8n's, and which of them this role may read; the schemas of
-- the search path first. The catalogue shows what is there also to whom it is forbidden.
select n.nspname as "schema", c.relname as "table", a.attname as "column",
  has_schema_privilege(n.oid, 'usage') and has_column_privilege(c.oid, a.attnum, 'select') as "isReadable"
from pg_catalog.pg_class as c
join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
join pg_catalog.pg_attribute as a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
where c.relkind in ('r', 'p', 'v', 'm', 'f')
  and c.relname ~ '(execution_entity|workflow_(entity|history|publish_history|statistics))$'
  and n.nspname not in ('pg_catalog', 'information_schema')
order by array_position(current_schemas(false), n.nspname) nulls last, n.nspname, c.relname, a.attnum
