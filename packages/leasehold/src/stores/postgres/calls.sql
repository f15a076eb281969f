-- One statement a call, one round trip, never prepared by name: transaction-mode poolers must work.
-- Answers come as JSON: its instants are ISO 8601 whatever the session's DateStyle is.

-- name: schema_version
select to_jsonb(answer) as answer from leasehold.schema_version() answer;

-- name: acquire
select to_jsonb(answer) as answer from leasehold.acquire(
  lock_name => $1, lease => $2::bigint * interval '1 millisecond', holder => $3, slot => $4, run_id => $5,
  on_stale => $6, again => $7, trigger => $8, grace => $9::bigint * interval '1 millisecond', holder_info => $10,
  waiting => $11, bypass_reason => $12, schedule => $13, timezone => $14, next_slot => $15, overdue => $16) answer;

-- name: acquire_or_probe
select to_jsonb(answer) as answer from leasehold.acquire(
  lock_name => $1, lease => $2::bigint * interval '1 millisecond', holder => $3, slot => $4, run_id => $5,
  on_stale => $6, again => $7, trigger => $8, grace => $9::bigint * interval '1 millisecond', holder_info => $10,
  waiting => $11, bypass_reason => $12, schedule => $13, timezone => $14, next_slot => $15, overdue => $16,
  probes => $17, evidence => $18) answer;

-- name: renew
select to_jsonb(answer) as answer from leasehold.renew(
  lock_name => $1, token => $2, lease => $3::bigint * interval '1 millisecond', progress => $4,
  holder_info => $5) answer;

-- name: release
select to_jsonb(answer) as answer from leasehold.release(
  lock_name => $1, token => $2, status => $3, after => $4::bigint * interval '1 millisecond', lost => $5) answer;

-- name: is_holder
select to_jsonb(leasehold.is_holder(lock_name => $1, token => $2)) as answer;

-- name: force_release
select to_jsonb(answer) as answer from leasehold.force_release(lock_name => $1, reason => $2, now => $3) answer;

-- name: pause
select to_jsonb(answer) as answer from leasehold.pause(lock_name => $1, reason => $2) answer;

-- name: resume
select to_jsonb(answer) as answer from leasehold.resume(lock_name => $1) answer;

-- name: marks
select to_jsonb(answer) as answer from leasehold.marks(lock_name => $1) answer;

-- name: status
select to_jsonb(answer) as answer from leasehold.status(lock_name => $1, page_limit => $2) answer;

-- name: runs
select to_jsonb(answer) as answer from leasehold.runs(lock_name => $1, run_id => $2, page_limit => $3) answer;

-- name: events
select to_jsonb(answer) as answer from leasehold.events(
  lock_name => $1, kind => $2, page_limit => $3, pool => $4) answer;

-- name: watch
select to_jsonb(answer) as answer from leasehold.watch() answer;

-- name: prune
select to_jsonb(answer) as answer from leasehold.prune(
  runs_kept => $1::bigint * interval '1 millisecond', events_kept => $2::bigint * interval '1 millisecond',
  every => $3::bigint * interval '1 millisecond', row_limit => $4) answer;

-- name: take_alerts
select to_jsonb(answer) as answer from leasehold.take_alerts(
  taker => $1, alert_limit => $2, lease => $3::bigint * interval '1 millisecond') answer;

-- name: settle_alert
select to_jsonb(answer) as answer from leasehold.settle_alert(
  alert_id => $1, taker => $2, delivered_to => $3, error => $4, retry_after => $5::bigint * interval '1 millisecond') answer;

-- name: alert_counts
select to_jsonb(answer) as answer from leasehold.alert_counts() answer;

-- name: grant_to
select null as answer from leasehold.grant_to($1);
