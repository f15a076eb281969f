-- Leasehold for PostgreSQL 15 and later: the lock as SQL functions in a schema of its own.
-- Run it as the role that is to own the schema. Running it again changes nothing that is up to date.
-- Afterwards, for the role that your jobs use:  select leasehold.grant_to('my_app');
-- SQLSTATE LH004: it can't be installed here, and the message says why.

do $guard$
declare
  owner text := (select pg_get_userbyid(n.nspowner) from pg_namespace n where n.nspname = 'leasehold');
begin
  if current_setting('server_version_num')::integer < 150000 then
    raise exception using errcode = 'LH004',
      message = format('Leasehold needs PostgreSQL 15 or later, this is %s', current_setting('server_version'));
  end if;
  if pg_encoding_to_char((select d.encoding from pg_database d where d.datname = current_database())) = 'SQL_ASCII' then
    raise exception using errcode = 'LH004',
      message = 'Leasehold needs a database with a character encoding; this one is SQL_ASCII, UTF8 is best';
  end if;
  -- What is there already runs with the rights of whoever installs: it must be their own.
  if owner <> current_user then
    raise exception using errcode = 'LH004',
      message = format('the schema leasehold belongs to role %s; install and update as that role', owner);
  end if;
  if exists (
    select from pg_class c where c.relnamespace = 'leasehold'::regnamespace
      and (c.relowner <> current_user::regrole or c.relkind in ('r', 'v') and exists (
        select from pg_trigger t where t.tgrelid = c.oid and not t.tgisinternal))
  ) then
    raise exception using errcode = 'LH004',
      message = 'the schema leasehold has objects of another role, or triggers; look at them first';
  end if;
exception
  when invalid_schema_name then null;
end $guard$;

do $guard$
begin
  -- Installers take turns; the lock ends with the transaction.
  perform pg_advisory_xact_lock(7236814, 1);
  create schema if not exists leasehold;
  create table if not exists leasehold.migrations (
    version integer not null constraint migrations_pkey primary key,
    name text not null,
    breaking boolean not null,
    applied_at timestamptz not null default clock_timestamp()
  );
  -- What is installed, and the oldest code that may use it: both are versions.
  create or replace function leasehold.schema_version(out version integer, out needs integer)
  language sql stable security definer set search_path = pg_catalog, pg_temp
  as 'select max(m.version), max(m.version) filter (where m.breaking) from leasehold.migrations m';
end $guard$;
