-- What the server says of itself, for `doctor`. Nothing here writes, and nothing needs the schema or a right.

-- name: server
select jsonb_build_object(
  'version', current_setting('server_version'),
  'version_number', current_setting('server_version_num')::integer,
  'is_standby', pg_is_in_recovery(),
  'is_read_only', current_setting('default_transaction_read_only') = 'on'
) as answer;

-- name: clock
select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as answer;

-- name: settings
select jsonb_object_agg(s.name, s.setting) as answer
from pg_settings s
where s.name in ('default_transaction_isolation', 'fsync', 'full_page_writes', 'lock_timeout',
  'statement_timeout', 'synchronous_commit', 'synchronous_standby_names', 'transaction_timeout');

-- name: standbys
select jsonb_build_object(
  'count', count(*),
  'synchronous', count(*) filter (where r.sync_state in ('sync', 'quorum')),
  'hidden', count(*) filter (where r.sync_state is null)
) as answer
from pg_stat_replication r;

-- name: rights
select jsonb_build_object(
  'role', r.rolname,
  'is_superuser', r.rolsuper,
  'is_owner', coalesce(pg_has_role(n.nspowner, 'usage'), false),
  'may_see', coalesce(has_schema_privilege(n.oid, 'usage'), false),
  'missing', coalesce((
    select jsonb_agg(p.proname order by p.proname)
    from pg_proc p
    where p.pronamespace = n.oid and left(p.proname, 1) <> '_' and p.proname <> 'grant_to'
      and not has_function_privilege(p.oid, 'execute')
  ), '[]')
) as answer
from pg_roles r left join pg_namespace n on n.nspname = 'leasehold'
where r.rolname = current_user;

-- name: old_transactions
select jsonb_build_object(
  'transaction_ms', (
    select (extract(epoch from max(clock_timestamp() - a.xact_start)) * 1000)::float8
    from pg_stat_activity a
    where a.datname = current_database() and a.pid <> pg_backend_pid()
  ),
  'prepared_ms', (
    select (extract(epoch from max(clock_timestamp() - p.prepared)) * 1000)::float8
    from pg_prepared_xacts p
    where p.database = current_database()
  ),
  'hidden', (
    select count(*) from pg_stat_activity a
    where a.datname = current_database() and a.query = '<insufficient privilege>'
  )
) as answer;

-- name: begin
begin;

-- name: backend
select pg_backend_pid() as answer;

-- name: rollback
rollback;
