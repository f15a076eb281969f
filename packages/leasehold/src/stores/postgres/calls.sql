-- One statement a call, one round trip, never prepared by name: transaction-mode poolers must work.

-- name: schema_version
select version, needs from leasehold.schema_version();

-- name: acquire
select * from leasehold.acquire(
  lock_name => $1, lease => $2::bigint * interval '1 millisecond', holder => $3, slot => $4, run_id => $5,
  on_stale => $6, again => $7, trigger => $8, grace => $9::bigint * interval '1 millisecond', holder_info => $10,
  waiting => $11, bypass_reason => $12);

-- name: renew
select * from leasehold.renew(
  lock_name => $1, token => $2, lease => $3::bigint * interval '1 millisecond', progress => $4);

-- name: release
select * from leasehold.release(
  lock_name => $1, token => $2, status => $3, after => $4::bigint * interval '1 millisecond');

-- name: is_holder
select leasehold.is_holder(lock_name => $1, token => $2) as is_holder;

-- name: force_release
select * from leasehold.force_release(lock_name => $1, reason => $2, now => $3);

-- name: pause
select * from leasehold.pause(lock_name => $1, reason => $2);

-- name: resume
select * from leasehold.resume(lock_name => $1);

-- name: marks
select * from leasehold.marks(lock_name => $1);

-- name: status
select * from leasehold.status(lock_name => $1, page_limit => $2);

-- name: runs
select * from leasehold.runs(lock_name => $1, run_id => $2, page_limit => $3);

-- name: events
select * from leasehold.events(lock_name => $1, kind => $2, page_limit => $3);

-- name: grant_to
select leasehold.grant_to($1);
