-- Leasehold for PostgreSQL 15 and later: the lock as SQL functions in a schema of its own.
-- Run it as the role that is to own the schema. Running it again changes nothing that is up to date.
-- Afterwards, for the role that your jobs use:  select leasehold.grant_to('my_app');

do $guard$
begin
  if current_setting('server_version_num')::integer < 150000 then
    raise exception 'Leasehold needs PostgreSQL 15 or later, this is %', current_setting('server_version');
  end if;
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
