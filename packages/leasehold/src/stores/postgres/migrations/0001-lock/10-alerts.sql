-- The outbox: what alerts, who delivers it, and what became of it. Rows are written by leasehold._event alone, in the
-- transaction of their cause. At least once: a deliverer that dies leaves a lease that ends, and the alert comes again.

-- domain/alert.ts, isAlerting.
create function leasehold._is_alerting(kind text, severity text) returns boolean
language sql immutable security invoker
return severity <> 'info' and kind <> 'alert.dead';

-- domain/alert.ts, dedupKeyOf: kind, lock and run of the episode.
create function leasehold._dedup_key(kind text, lock text, run_id text, data jsonb) returns text
language plpgsql immutable security invoker set search_path = pg_catalog, pg_temp as $$
declare
  current_run jsonb := data -> 'currentRunId';
begin
  return concat_ws(' ', kind, to_json(lock)::text,
    case when jsonb_typeof(current_run) = 'string' then to_json(current_run #>> '{}')::text else to_json(run_id)::text end);
end $$;

-- domain/skip-streak.ts: 3, 6, 12, 24 ...
create function leasehold._is_skip_streak(skips_in_row integer) returns boolean
language sql immutable security invoker
return skips_in_row >= 3 and skips_in_row % 3 = 0 and (skips_in_row / 3) & (skips_in_row / 3 - 1) = 0;

create function leasehold._message_skip_streak(state leasehold.locks, now_at timestamptz) returns text
language plpgsql stable security invoker set search_path = pg_catalog, pg_temp as $$
begin
  return format(
    'Lock "%s" is stuck behind its previous run: %s starts in a row were skipped (holder %s, for %s, lease ends %s); look at that run, and to release it by force: leasehold force-release %s --reason TEXT',
    state.name, state.skips_in_row, coalesce(nullif(state.holder, ''), 'unknown'),
    leasehold._age_text(leasehold._age_ms(state.since, now_at)), coalesce(leasehold._iso(state.lease_until), 'unknown'),
    leasehold._shell_word(state.name));
end $$;

create function leasehold._message_alert_dead(event leasehold.events, error text) returns text
language plpgsql stable security invoker set search_path = pg_catalog, pg_temp as $$
begin
  return format(
    'An alert is dead: event %s, %s%s, could not be delivered for 24h (%s); mend the channel and try it: leasehold alert test CHANNEL',
    event.seq, event.kind, coalesce(format(' of lock "%s"', event.lock), ''), error);
end $$;

create function leasehold._message_alerts_dead(number bigint) returns text
language plpgsql stable security invoker set search_path = pg_catalog, pg_temp as $$
begin
  return format('%s %s dead: nobody tried to deliver them for 24h; let something deliver: leasehold work',
    number, case when number = 1 then 'alert is' else 'alerts are' end);
end $$;

-- Untried, an alert is due since its event. Nobody tried them for a day, so there was nobody to try; a channel that is new must not get the past of a year.
create function leasehold._give_up_untried(now_at timestamptz) returns void
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
declare
  number bigint;
  first_id bigint;
begin
  with untried as (
    select a.event_id from leasehold.alerts a
    where a.state = 'pending' and a.attempts = 0 and a.next_attempt_at <= leasehold._after(now_at, -86400000)
    order by a.event_id limit 1000 for update skip locked
  ), given_up as (
    update leasehold.alerts a set state = 'dead', taken_by = null, taken_until = null, settled_at = now_at
    from untried u where a.event_id = u.event_id returning a.event_id
  )
  select count(*), min(g.event_id) into number, first_id from given_up g;
  if number > 0 then
    perform leasehold._event('alert.dead', 'critical', null, null, null, leasehold._message_alerts_dead(number),
      jsonb_build_object('count', number, 'firstEventId', first_id, 'error', null), now_at);
  end if;
end $$;

-- leasehold.take_alerts: alerts that are due, for this deliverer alone until its lease ends; rows that another one is
-- just taking are passed by, so it never waits. A row due too late, or taken for too long, was written by a faulty
-- clock: it counts as due, and as free. Errors: LH002.
create function leasehold.take_alerts(taker text, alert_limit integer default 10, lease interval default interval '1 minute')
returns setof leasehold.taken_alert
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp rows 10 as $$
declare
  now_at timestamptz := leasehold._now();
  ms bigint := leasehold._interval_ms(lease, 'lease', 1000, 300000);
begin
  perform leasehold._check_text(taker, 'taker', 1024);
  -- A look that writes nothing: most calls find nothing.
  if not exists (select from leasehold.alerts a where a.state = 'pending') then
    return;
  end if;
  perform leasehold._give_up_untried(now_at);
  return query
  with due as materialized (
    select a.event_id, a.next_attempt_at from leasehold.alerts a
    where a.state = 'pending'
      and (a.next_attempt_at <= now_at or a.next_attempt_at > leasehold._after(now_at, 3600000))
      and (a.taken_until is null or a.taken_until <= now_at or a.taken_until > leasehold._after(now_at, 300000))
      and (a.attempts > 0 or a.next_attempt_at > leasehold._after(now_at, -86400000))
    order by a.next_attempt_at, a.event_id limit least(greatest(alert_limit, 1), 100)
    for update skip locked
  ), taken as (
    update leasehold.alerts a set taken_by = taker, taken_until = leasehold._after(now_at, ms), attempts = a.attempts + 1
    from due d where a.event_id = d.event_id
    returning a.*, d.next_attempt_at as due_at
  )
  select t.alert_id, e.seq, e.at, e.kind, e.severity, e.lock, e.run_id, e.holder, e.message, e.data, t.dedup_key,
    t.attempts, t.delivered_to
  from taken t join leasehold.events e on e.seq = t.event_id
  order by t.due_at, t.event_id;
end $$;

-- domain/alert.ts, decideFailure: null where the alert is dead, else when it is tried again.
create function leasehold._next_attempt(event_at timestamptz, attempts integer, retry_after_ms bigint, now_at timestamptz)
returns timestamptz
language plpgsql stable security invoker set search_path = pg_catalog, pg_temp as $$
begin
  return case when now_at < leasehold._after(event_at, 86400000) and attempts < 100 then leasehold._after(now_at,
    least(3600000, greatest(retry_after_ms, 30000 * power(2, least(20, greatest(0, attempts - 1)))::bigint))) end;
end $$;

create function leasehold._fail_alert(
  alert leasehold.alerts, error text, retry_after_ms bigint, now_at timestamptz
) returns leasehold.settle_answer
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
declare
  event leasehold.events;
  answer leasehold.settle_answer;
begin
  select e.* into event from leasehold.events e where e.seq = alert.event_id;
  answer.next_attempt_at := leasehold._next_attempt(event.at, alert.attempts, retry_after_ms, now_at);
  answer.outcome := case when answer.next_attempt_at is null then 'dead' else 'retry' end;
  update leasehold.alerts a set taken_by = null, taken_until = null, last_error = error,
    state = case answer.outcome when 'dead' then 'dead' else 'pending' end,
    next_attempt_at = coalesce(answer.next_attempt_at, a.next_attempt_at),
    settled_at = case answer.outcome when 'dead' then now_at end
  where a.event_id = alert.event_id;
  if answer.outcome = 'dead' then
    perform leasehold._event('alert.dead', 'critical', event.lock, event.run_id, null,
      leasehold._message_alert_dead(event, error),
      jsonb_build_object('count', 1, 'firstEventId', event.seq, 'error', error), now_at);
  end if;
  return answer;
end $$;

-- leasehold.settle_alert: what became of one. That channels have confirmed is stored whoever says it; a failure only
-- from the deliverer that has the alert. Repeatable.
--   delivered_to  channels that have confirmed it now; those of earlier attempts stay
--   error         null where no channel is left to be tried
--   retry_after   the longest that a channel asked for; drawn in to 1 h
-- Answers delivered | retry | dead | not_taken. Errors: LH002.
create function leasehold.settle_alert(
  alert_id text, taker text, delivered_to text[] default '{}', error text default null,
  retry_after interval default interval '0'
) returns leasehold.settle_answer
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp set lock_timeout = '5s' as $$
declare
  alert leasehold.alerts;
  retry_ms bigint := leasehold._interval_ms(retry_after, 'retry_after', 0, 31536000000);
  channels text[];
  answer leasehold.settle_answer;
  now_at timestamptz;
begin
  select a.* into alert from leasehold.alerts a where a.alert_id = settle_alert.alert_id for update;
  now_at := leasehold._now();
  answer.outcome := 'not_taken';
  if alert.event_id is null then
    return answer;
  end if;
  channels := array(select distinct c from unnest(alert.delivered_to || settle_alert.delivered_to) c order by c);
  if cardinality(channels) > cardinality(alert.delivered_to) then
    update leasehold.alerts a set delivered_to = channels where a.event_id = alert.event_id;
  end if;
  if settle_alert.error is null then
    answer.outcome := 'delivered';
    update leasehold.alerts a set state = 'delivered', taken_by = null, taken_until = null, settled_at = now_at
    where a.event_id = alert.event_id and a.state <> 'delivered';
  elsif alert.state = 'pending' and alert.taken_by = settle_alert.taker then
    answer := leasehold._fail_alert(alert, left(settle_alert.error, 500), retry_ms, now_at);
  end if;
  return answer;
end $$;

-- leasehold.alert_counts: how the outbox stands.
create function leasehold.alert_counts() returns leasehold.alert_tally
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  select count(*), (select count(*) from leasehold.alerts d where d.state = 'dead'), min(e.at),
    count(*) filter (where a.attempts > 0 and a.last_error is not null),
    (array_agg(a.last_error order by a.event_id desc) filter (where a.attempts > 0 and a.last_error is not null))[1]
  from leasehold.alerts a join leasehold.events e on e.seq = a.event_id where a.state = 'pending';
end;
