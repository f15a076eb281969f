-- Retention: what may go, in small batches; see prune.ts.

-- name: duty
select done_at, after_lock from upkeep where duty = 'prune';

-- name: note_duty
insert into upkeep (duty, done_at, after_lock) values ('prune', :done_at, :after_lock)
on conflict (duty) do update set done_at = excluded.done_at, after_lock = excluded.after_lock;

-- name: lock_after
select min(lock) as lock from runs where lock > :after;

-- name: newest_kept
select
  (select seq from runs where lock = :lock order by seq desc limit 1 offset :kept - 1) as newest,
  (select seq from runs where lock = :lock and fence is not null order by seq desc limit 1 offset :kept - 1) as that_ran;

-- The oldest are looked at, and some more than may go: so one call is bounded, and the few that must stay block nothing.
-- name: prune_runs
delete from runs where seq in (
  select seq from (
    select seq, lock, token, fence, started_at, ended_at, lost_at from runs
    where lock = :lock and seq < :newest order by seq limit :limit + 200
  ) old
  where coalesce(ended_at, lost_at, started_at) < :before
    and (fence is null or seq < :that_ran and coalesce(ended_at, lost_at) is not null)
    and not exists (select 1 from locks where locks.name = old.lock and locks.token = old.token)
  order by seq limit :limit
)
returning seq;

-- name: prune_events
delete from events where seq in (
  select seq from (select seq, at from events order by seq limit :limit + 1000) old
  where at < :before
  order by seq limit :limit
)
returning seq;

-- Finished claims go as runs do; who had a record is then no longer known, what became of it is.
-- name: prune_claims
delete from claims where token in (
  select token from claims where settled_at is not null and settled_at < :before order by settled_at limit :limit
)
returning token;

-- Whoever had begun may still bring evidence; whoever had not has none.
-- name: prune_former_owners
delete from former_owners where (pool, id, version, token) in (
  select pool, id, version, token from former_owners
  where was_begun = 0 and until_at < :before order by until_at limit :limit
)
returning token;
