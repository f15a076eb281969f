-- Every column of every table; which of them are n8n's is decided by tables.ts.
select m.name as "table", c.name as "column"
from sqlite_master as m
join pragma_table_info(m.name) as c
where m.type in ('table', 'view')
