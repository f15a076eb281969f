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

-- name: begin_waiting
update records set waits = 1 where no = :no and state = 'queued';

-- name: stop_waiting
update records set waits = 0 where no = :no;
