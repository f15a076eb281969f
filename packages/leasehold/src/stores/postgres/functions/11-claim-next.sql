-- Claims of the next records: those whose time has come, then the queue in the order of arrival. No call waits for another:
-- what one has locked the next one passes by.

-- The same as _take_next where all that it comes to is ordinary, as it mostly is: the pool has no versions, none is due, and
-- of the first ones in the queue none goes alone, has a time to be sent by, or still carries a token. Else nothing was done,
-- and all is null.
create or replace function leasehold._take_queued(
  claim leasehold.claims, is_versioned boolean, room integer, low_no bigint, now_at timestamptz,
  out owned leasehold.owned_record[], out dues timestamptz[], out nos bigint[], out taken integer, out last_no bigint
)
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
declare
  begins boolean := not claim.explicit_begin;
begin
  if is_versioned then
    return;
  end if;
  with queue as materialized (
    select r.ctid as at, r.idle_requeues < 2 and r.send_before is null and r.token is null as is_ordinary from leasehold.records r
    where r.pool = claim.pool and r.is_free and r.not_before is null and r.no >= _take_queued.low_no
    order by r.no limit room for no key update skip locked
  ), given as (
    update leasehold.records t set state = 'claimed', token = claim.token, claimed_at = now_at, updated_at = now_at,
      verdict = null, is_begun = begins, attempt = case when begins then leasehold._one_more(t.attempt) else t.attempt end,
      begun_at = case when begins then now_at else t.begun_at end,
      first_begun_at = case when begins then coalesce(t.first_begun_at, now_at) else t.first_begun_at end,
      unknown_at = null, asked_at = null, ask_since = null
    from queue q where t.ctid = q.at and (select bool_and(o.is_ordinary) from queue o)
      and (select true from leasehold.records d where d.pool = claim.pool and d.is_free and d.not_before <= now_at
        order by d.not_before limit 1) is null
    returning t.no, t.id, t.version, t.effect_key, t.attempt, t.payload
  )
  select array_agg(row(g.id, g.version, g.effect_key, case when begins then g.attempt else leasehold._one_more(g.attempt) end, g.payload::text)::leasehold.owned_record),
    array_agg(null::timestamptz), array_agg(g.no)
  into owned, dues, nos from (select * from given order by no) g;
  taken := cardinality(owned);
  last_no := nos[taken];
end $$;

-- Takes up to room records from low_no on. One that goes alone is given only if it is the first that a claim is given, and
-- then alone; what must be asked for first is claimed and flagged, given to nobody, and is no neighbour. What its provider might not know again by last_send is left out: _may_be_had. Of two versions of an
-- id, as a person may have made both free, only the older may be had, while none is claimed: both are looked at as they were
-- when the statement began. A token that a record still carries is remembered: see _take_one.
create or replace function leasehold._take_next(
  claim leasehold.claims, is_versioned boolean, room integer, low_no bigint, has_some boolean, last_send timestamptz, now_at timestamptz,
  out owned leasehold.owned_record[], out dues timestamptz[], out nos bigint[], out taken integer, out last_no bigint
)
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
declare
  begins boolean := not claim.explicit_begin;
begin
  with due as materialized (
    select r.ctid as at, r.no, r.not_before, r.idle_requeues, r.send_before, r.token from leasehold.records r
    where r.pool = claim.pool and r.is_free and r.not_before is not null and r.not_before <= now_at
      and not (has_some and r.idle_requeues >= 2)
      and not coalesce(r.send_before >= now_at and r.send_before < last_send, false)
      and (not is_versioned or not exists (
        select from leasehold.records o where o.pool = r.pool and o.id = r.id and o.version <> r.version
          and (o.state = 'claimed' or o.is_free and o.no < r.no) offset 0))
    order by r.not_before, r.no limit room for no key update skip locked
  ), queue as materialized (
    select r.ctid as at, r.no, r.not_before, r.idle_requeues, r.send_before, r.token from leasehold.records r
    where r.pool = claim.pool and r.is_free and r.not_before is null and r.no >= _take_next.low_no
      and not (has_some and r.idle_requeues >= 2)
      and not coalesce(r.send_before >= now_at and r.send_before < last_send, false)
      and (not is_versioned or not exists (
        select from leasehold.records o where o.pool = r.pool and o.id = r.id and o.version <> r.version
          and (o.state = 'claimed' or o.is_free and o.no < r.no) offset 0))
    order by r.no limit room - (select count(*) from due) for no key update skip locked
  ), candidates as (
    select c.*, coalesce(c.send_before < now_at, false) as asks_first,
      row_number() over (order by c.not_before nulls last, c.no) as place
    from (select d.* from due d union all select q.* from queue q) c
  ), first_given as (
    select c.place, c.idle_requeues from candidates c where not c.asks_first order by c.place limit 1
  ), remembered as (
    select leasehold._remember_owner(l, l.verdict, now_at) from candidates c
    cross join lateral (select r.* from leasehold.records r where r.ctid = c.at offset 0) l where c.token is not null
  ), given as (
    update leasehold.records t set state = 'claimed', token = claim.token, claimed_at = now_at, updated_at = now_at,
      not_before = null, verdict = null, is_begun = begins and not c.asks_first,
      attempt = case when begins and not c.asks_first then leasehold._one_more(t.attempt) else t.attempt end,
      begun_at = case when begins and not c.asks_first then now_at else t.begun_at end,
      first_begun_at = case when begins and not c.asks_first then coalesce(t.first_begun_at, now_at) else t.first_begun_at end,
      unknown_at = case when c.asks_first then now_at end, asked_at = null, ask_since = null
    from candidates c left join first_given f on true
    where t.ctid = c.at and (has_some or coalesce(c.place <= f.place, true) or c.idle_requeues < 2 and f.idle_requeues < 2)
    returning c.place, t.no, c.not_before, c.asks_first, t.id, t.version, t.effect_key, t.attempt, t.payload
  )
  select array_agg(row(g.id, g.version, g.effect_key, case when begins then g.attempt else leasehold._one_more(g.attempt) end, g.payload::text)::leasehold.owned_record
      order by g.place) filter (where not g.asks_first),
    array_agg(g.not_before order by g.place) filter (where not g.asks_first),
    array_agg(g.no order by g.place) filter (where not g.asks_first),
    count(*), max(g.no) filter (where g.not_before is null)
  into owned, dues, nos, taken, last_no from given g where (select count(*) from remembered) >= 0;
  owned := coalesce(owned, '{}');
end $$;

-- Where a claim of this pool begins to look, and whether it is the one that looks from the start: a twentieth of the time at
-- the most.
create or replace function leasehold._queue_mark(pool text, now_at timestamptz, out low_no bigint, out is_full boolean)
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
declare
  mark leasehold.queue_marks;
begin
  select m.* into mark from leasehold.queue_marks m where m.pool = _queue_mark.pool;
  low_no := mark.low_no;
  is_full := low_no is null or mark.scanned_at > now_at
    or mark.scanned_at + greatest(1000, 20 * mark.took_ms) * interval '1 millisecond' <= now_at;
  if is_full and low_no is not null then
    perform from leasehold.queue_marks m where m.pool = _queue_mark.pool for no key update skip locked;
    is_full := found;
  end if;
  low_no := case when is_full then 0 else low_no end;
end $$;

-- Notes how far the queue is taken. Whoever can't have the row at once leaves it.
create or replace function leasehold._note_mark(pool text, first_no bigint, last_no bigint, is_full boolean, now_at timestamptz) returns void
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
begin
  if is_full then
    update leasehold.queue_marks m set scanned_at = leasehold._now(), took_ms = leasehold._ms_between(now_at, leasehold._now()),
      low_no = coalesce(last_no, (select s.last_value from leasehold.records_no_seq s))
    where m.pool = _note_mark.pool;
  elsif last_no - first_no >= 500 then
    update leasehold.queue_marks m set low_no = last_no
    where m.pool = (select k.pool from leasehold.queue_marks k
      where k.pool = _note_mark.pool and k.low_no < last_no for no key update skip locked);
  end if;
end $$;

-- leasehold.claim_next_records: what leasehold.claim_next does, as one row; see leasehold.claim_records.
create or replace function leasehold.claim_next_records(
  pool text, holder text, batch_limit integer, lease interval, claim_id text, lock_token text, explicit_begin boolean,
  holder_info jsonb
) returns leasehold.claim_answer
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp set lock_timeout = '2s'
set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
declare
  settings leasehold.pools;
  claim leasehold.claims;
  earlier leasehold.claims;
  settled integer[];
  mark record;
  room integer;
  came record;
  owned leasehold.owned_record[];
  dues timestamptz[];
  nos bigint[];
  has_any boolean;
  has_looked_twice boolean := false;
  now_at timestamptz;
  last_send timestamptz;
begin
  if leasehold._is_in_transaction() then
    perform leasehold._refuse_in_transaction('claim_next');
  end if;
  settings := leasehold._pool_row(pool);
  room := leasehold._claim_limit(settings, batch_limit);
  claim := leasehold._checked_claim(settings, holder, lease, claim_id, explicit_begin, holder_info);
  if lock_token is not null then
    claim.lock := leasehold._held_lock(lock_token);
    if claim.lock is null then
      return leasehold._nothing_claimed(claim, 'lock_lost');
    end if;
  end if;
  if claim_next_records.claim_id is not null then
    earlier := leasehold._earlier_claim(claim);
    if earlier.token is not null then
      return case when earlier.lease_until <= leasehold._now() then leasehold._nothing_claimed(earlier, 'claim_ended')
        else leasehold._claim_answer(earlier, leasehold._owned(earlier, '{}', '{}'), leasehold._kept_back(earlier), null, array[0, 0, 0], true, false) end;
    end if;
  end if;
  if settings.paused_at is not null then
    return leasehold._nothing_claimed(claim, 'paused');
  end if;
  settled := leasehold._settle(settings, 1000);
  now_at := leasehold._now();
  last_send := leasehold._last_send(claim, settings, now_at);
  mark := leasehold._queue_mark(settings.pool, now_at);
  came := leasehold._take_queued(claim, settings.is_versioned, room, mark.low_no, now_at);
  if came.taken is null then
    came := leasehold._take_next(claim, settings.is_versioned, room, mark.low_no, false, last_send, now_at);
  end if;
  owned := came.owned;
  dues := came.dues;
  nos := came.nos;
  has_any := came.taken > 0;
  -- It came out short: what is before the mark, what was left out for its neighbours' sake or must be asked for first.
  for round in 1..10 loop
    exit when cardinality(owned) >= room or leasehold._has_alone(claim.pool, claim.token)
      or round = 1 and came.taken = 0 and mark.is_full or round > 1 and came.taken = 0;
    came := leasehold._take_next(claim, settings.is_versioned, room - cardinality(owned), 0, cardinality(owned) > 0, last_send, now_at);
    owned := owned || came.owned;
    dues := dues || came.dues;
    nos := nos || came.nos;
    has_any := has_any or came.taken > 0;
    has_looked_twice := true;
  end loop;
  if has_looked_twice then
    owned := array(
      select row(o.id, o.version, o.effect_key, o.attempt, o.payload)::leasehold.owned_record
      from unnest(owned, dues, nos) o (id, version, effect_key, attempt, payload, due, no) order by o.due nulls last, o.no);
  end if;
  perform leasehold._note_mark(settings.pool, mark.low_no, came.last_no, mark.is_full, now_at);
  if has_any then
    claim := leasehold._write_claim(claim);
  end if;
  return leasehold._claim_answer(claim, owned, '{}', null, settled, false, true);
end $$;

-- leasehold.claim_next: claims the next records of the queue; arguments and errors as leasehold.claim.
-- Answers one row a record, all owned; none where nothing may be had now, and none for a claim_id whose claim is over.
create or replace function leasehold.claim_next(
  pool text, holder text, batch_limit integer default null, lease interval default null, claim_id text default null,
  lock_token text default null, explicit_begin boolean default false, holder_info jsonb default null
) returns setof leasehold.claim_row
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp rows 50 as $$
begin
  return query
  select r.* from leasehold._claim_rows(leasehold.claim_next_records(pool, holder, batch_limit, lease, claim_id, lock_token,
    explicit_begin, holder_info)) r;
end $$;
