-- Owner and runtime apart: the owner migrates; the runtime role needs USAGE on the schema and EXECUTE on the
-- functions without a leading underscore, and no right on any table.

revoke all on schema leasehold from public;
revoke all on all functions in schema leasehold from public;

-- leasehold.grant_to: gives a role what it needs at run time. Run it as the owner, after each migration.
create function leasehold.grant_to(role_name text) returns void
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
declare
  signature text;
begin
  -- Two at once would change the same rows of the catalogue.
  perform pg_advisory_xact_lock(7236814, 1);
  execute format('grant usage on schema leasehold to %I', role_name);
  for signature in
    select p.oid::regprocedure::text from pg_proc p
    where p.pronamespace = 'leasehold'::regnamespace and left(p.proname, 1) <> '_' and p.proname <> 'grant_to'
  loop
    execute format('grant execute on function %s to %I', signature, role_name);
  end loop;
end $$;

revoke all on function leasehold.grant_to(text) from public;
