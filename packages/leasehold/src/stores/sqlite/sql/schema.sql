-- What is in the file, and the record of what was installed.

-- name: file_contents
select
  count(*) as tables,
  count(case when name in ('migrations', 'locks', 'runs', 'events') then 1 end) as ours
from sqlite_schema
where type = 'table' and name not like 'sqlite\_%' escape '\';

-- name: schema_version
select
  coalesce(max(version), 0) as version,
  coalesce(max(case when breaking = 1 then version end), 0) as needs
from migrations;

-- name: create_migrations
create table migrations (
  version integer not null constraint migrations_pkey primary key,
  name text not null,
  breaking integer not null,
  applied_at integer not null
) strict;

-- name: insert_migration
insert into migrations (version, name, breaking, applied_at)
values (:version, :name, :breaking, :applied_at);
