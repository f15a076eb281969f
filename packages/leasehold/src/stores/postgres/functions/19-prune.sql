-- Retention of claims; leasehold.prune calls it. Records stay for ever, and so do former owners that had begun.

-- Claims that are over and older than `before`, and what tells of owners that never began.
create or replace function leasehold._prune_claims(before timestamptz, rows_max integer) returns integer
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
declare
  deleted integer;
  more integer;
begin
  delete from leasehold.claims c where c.token in (
    select o.token from leasehold.claims o where o.settled_at < before order by o.settled_at limit rows_max for update skip locked)
    and not exists (select from leasehold.records r where r.token = c.token and r.state = 'claimed');
  get diagnostics deleted = row_count;
  delete from leasehold.former_owners f where (f.pool, f.id, f.version, f.token) in (
    select o.pool, o.id, o.version, o.token from leasehold.former_owners o
    where not o.was_begun and o.until_at < before order by o.until_at limit rows_max);
  get diagnostics more = row_count;
  return greatest(deleted, more);
end $$;
