-- Versions of one id that are under way. Two statements for them: of most ids the empty version is the only one, and the
-- index of the others is then empty.

-- name: open_named_versions
select no, version, state, attempt, waits from records
where pool = :pool and id = :id and version <> '' and version <> :version and state in ('queued', 'claimed', 'review');

-- name: open_empty_version
select no, version, state, attempt, waits from records
where pool = :pool and id = :id and version = '' and version <> :version and state in ('queued', 'claimed', 'review');

-- name: version_of_claim
select 1 as is_other from records
where pool = :pool and id = :id and version <> :version and +token = :token
union all
select 1 from former_owners
where pool = :pool and id = :id and version <> :version and token = :token
limit 1;

-- name: next_waiting
select no from records where pool = :pool and id = :id and state = 'queued' and waits = 1 order by no limit 1;

-- The first of each id that waits though nothing of the id holds it back, as a person's SQL or a restore in part may leave it.
-- name: stranded
select min(w.no) as no from records w
where w.pool = :pool and w.state = 'queued' and w.waits = 1
  and not exists (
    select 1 from records o where o.pool = w.pool and o.id = w.id
      and (o.state in ('claimed', 'review') or (o.state = 'queued' and o.waits = 0))
  )
group by w.id limit :limit;

-- name: begin_waiting
update records set waits = 1 where no = :no and state = 'queued';

-- name: stop_waiting
update records set waits = 0 where no = :no;
