-- Sweeps: what needs its provider's answer, taken, asked about by the caller, and settled by what was answered.

-- leasehold.sweep: settles what needs no provider's answer, at most row_limit records. to_ask: how many wait for one.
-- is_complete false: there is more, call again: each call looks through 10,000 records for what is claimed and no claim knows,
-- until it has seen the whole pool. is_brief: for that only where nobody has looked within an hour, and no further. Errors: LH002.
create or replace function leasehold.sweep(pool text, row_limit integer default 1000, is_brief boolean default false) returns leasehold.sweep_answer
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp set lock_timeout = '2s' set enable_seqscan = off as $$
declare
  settings leasehold.pools;
  rows_max integer := least(greatest(coalesce(row_limit, 1000), 1), 10000);
  counts integer[] := array[0, 0, 0];
  strays record;
  is_ended boolean := coalesce(is_brief, false);
  now_at timestamptz;
begin
  perform leasehold._check_text(pool, 'pool name', 255);
  select p.* into settings from leasehold.pools p where p.pool = sweep.pool;
  if settings.pool is null then
    return row(pool, 0, 0, 0, 0, true)::leasehold.sweep_answer;
  end if;
  counts := leasehold._settle(settings, rows_max);
  if counts[1] + counts[2] + counts[3] < rows_max then
    strays := leasehold._settle_strays(settings, rows_max - counts[1] - counts[2] - counts[3], coalesce(is_brief, false));
    counts := array[counts[1] + strays.counts[1], counts[2] + strays.counts[2], counts[3] + strays.counts[3]];
    is_ended := strays.is_ended;
  end if;
  now_at := leasehold._now();
  -- Where nothing was settled there is nothing more that this call could do: another one may be at it.
  return row(pool, counts[1], counts[2], counts[3], leasehold._count_to_ask(pool, now_at),
    is_ended and (counts = array[0, 0, 0] or leasehold._is_settled(settings, now_at)))::leasehold.sweep_answer;
end $$;

-- What an answer about a record is held against; where a hand-written row says less, what is as stable as the row.
create or replace function leasehold._begun_at(r leasehold.records) returns timestamptz
language sql immutable security invoker
return coalesce(r.begun_at, r.claimed_at, r.updated_at);

-- As precise as whoever asks may hold it: a hand-written row may say more.
create or replace function leasehold._in_ms(at timestamptz) returns timestamptz
language sql immutable security invoker
return date_trunc('milliseconds', at, 'UTC');

-- What a sweep may ask for now: flagged, begun under a claim whose lease is over, or in review and asked for by a person.
create or replace function leasehold._to_ask(settings leasehold.pools, every_ms bigint, rows_max integer, now_at timestamptz)
returns setof leasehold.records
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp rows 100 as $$
declare
  asked_before timestamptz := leasehold._after(now_at, -every_ms);
  -- Written by a clock that was ahead. A rival's that has just asked may be a little later than ours.
  ahead timestamptz := leasehold._after(now_at, 60000);
  left_over integer := rows_max;
  number integer;
begin
  return query
  select r.* from leasehold.records r
  where r.pool = settings.pool and r.flagged_at is not null
    and (r.asked_at is null or r.asked_at <= asked_before or r.asked_at > ahead)
    and leasehold._waits_for_answer(r, null, settings, now_at)
  order by r.flagged_at limit left_over for no key update skip locked;
  get diagnostics number = row_count;
  left_over := left_over - number;
  return query
  select l.* from leasehold._expired_claims(settings.pool, now_at) c
  cross join lateral (
    select r.* from leasehold.records r
    where r.token = c.token and (r.pool = settings.pool) is true and r.state = 'claimed' and r.is_begun and r.unknown_at is null
      and (r.asked_at is null or r.asked_at <= asked_before or r.asked_at > ahead)
      and leasehold._waits_for_answer(r, c.lease_until, settings, now_at)
    for no key update skip locked
  ) l
  limit left_over;
  get diagnostics number = row_count;
  left_over := left_over - number;
  return query
  select r.* from leasehold.records r
  where r.pool = settings.pool and r.attention = 'review' and r.ask_since is not null
    and (r.asked_at is null or r.asked_at <= asked_before or r.asked_at > ahead)
  order by r.id limit left_over for no key update skip locked;
end $$;

-- leasehold.take_to_ask: records whose provider has to be asked, each for this caller alone until `every` is over. Nothing
-- of a pool that asks nobody.
create or replace function leasehold.take_to_ask(pool text, row_limit integer default 100, every interval default interval '1 minute')
returns setof leasehold.asked_record
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp set enable_seqscan = off rows 100 as $$
declare
  settings leasehold.pools;
  every_ms bigint := leasehold._interval_ms(every, 'every', 0, 86400000);
  r leasehold.records;
  claim leasehold.claims;
  asked leasehold.records[];
  is_said boolean;
  now_at timestamptz := leasehold._now();
begin
  perform leasehold._check_text(pool, 'pool name', 255);
  select p.* into settings from leasehold.pools p where p.pool = take_to_ask.pool;
  if settings.verifier is null then
    return;
  end if;
  asked := array(
    select a from leasehold._to_ask(settings, every_ms, least(greatest(coalesce(row_limit, 100), 1), 1000), now_at) a);
  now_at := leasehold._now();
  foreach r in array asked loop
    update leasehold.records k set asked_at = now_at, ask_since = coalesce(k.ask_since, now_at)
    where k.pool = r.pool and k.id = r.id and k.version = r.version returning k.* into r;
    claim := leasehold._claim_of(r.token);
    -- Only what a sender said, or its proven end, tells when it stopped sending. A record that was flagged because its
    -- provider may no longer know its key had another sender before, of whom that isn't known.
    is_said := coalesce(r.verdict = 'unknown', false);
    return next row(r.pool, r.id, r.version, r.effect_key, r.payload::text, coalesce(r.provider_ref, r.evidence_ref),
      coalesce(claim.claim_id, ''), coalesce(claim.holder, ''), case when not claim.is_shared then claim.holder_info end, r.attempt, leasehold._begun_at(r),
      coalesce(r.first_begun_at, leasehold._begun_at(r)), coalesce(claim.lease_until, r.updated_at),
      case when is_said then r.unknown_at end, r.send_before,
      case when not claim.is_shared and (is_said or r.unknown_at is null) then claim.holder_ended_at end,
      now_at, r.ask_since, r.state = 'review')::leasehold.asked_record;
  end loop;
end $$;

-- leasehold.note_holder_ended: a claim's holder is proven to have ended. Answers since when that is known, the first time
-- counts; null for no such claim, and for one whose token another process may have.
create or replace function leasehold.note_holder_ended(pool text, claim_id text, holder text) returns timestamptz
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
set enable_seqscan = off set lock_timeout = '5s' as $$
declare
  claim leasehold.claims;
begin
  select c.* into claim from leasehold.claims c
  where c.pool = note_holder_ended.pool and c.claim_id = note_holder_ended.claim_id and c.holder = note_holder_ended.holder
  for no key update;
  update leasehold.claims c set holder_ended_at = coalesce(c.holder_ended_at, leasehold._now())
  where c.token = claim.token and not c.is_shared returning c.* into claim;
  return case when not claim.is_shared then claim.holder_ended_at end;
end $$;

-- leasehold.apply_lookup: does what a look-up led to, where the record is still as it was when it was asked about.
--   decision  done (provider_ref) | requeue (send_before, words) | review (words) | wait
-- Answers applied | overtaken, and the record's state. Errors: LH002.
create or replace function leasehold.apply_lookup(
  pool text, id text, version text, claim_id text, holder text, attempt integer, begun_at timestamptz, lease_until timestamptz,
  decision text, provider_ref text default null, send_before timestamptz default null, words text default null
) returns leasehold.lookup_outcome
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
set enable_seqscan = off set lock_timeout = '5s' as $$
declare
  settings leasehold.pools;
  r leasehold.records;
  claim leasehold.claims;
  now_at timestamptz;
begin
  if decision is null or decision not in ('done', 'requeue', 'review', 'wait') then
    perform leasehold._refuse(format('decision is "%s"; it must be done, requeue, review or wait', decision));
  end if;
  select p.* into settings from leasehold.pools p where p.pool = apply_lookup.pool;
  -- The claim before its records: an extension must not come between.
  perform from leasehold.claims c
  where c.pool = apply_lookup.pool and c.claim_id = apply_lookup.claim_id and c.holder = apply_lookup.holder for no key update;
  perform leasehold._lock_versions(pool, array[id]);
  select k.* into r from leasehold.records k
  where k.pool = apply_lookup.pool and k.id = apply_lookup.id and k.version = apply_lookup.version;
  claim := leasehold._claim_of(r.token);
  now_at := leasehold._now();
  if r.id is null or r.attempt <> apply_lookup.attempt or leasehold._in_ms(leasehold._begun_at(r)) <> leasehold._in_ms(apply_lookup.begun_at)
    or coalesce(claim.claim_id, '') <> apply_lookup.claim_id or coalesce(claim.holder, '') <> apply_lookup.holder
    or leasehold._in_ms(coalesce(claim.lease_until, r.updated_at)) <> leasehold._in_ms(apply_lookup.lease_until)
    or not (r.state = 'review' and r.ask_since is not null
      or r.state = 'claimed' and (r.unknown_at is not null or coalesce(claim.lease_until <= now_at, true))) then
    -- Found, though not of what was asked about: nothing is sent before it has been asked for anew.
    if decision = 'done' and r.state in ('queued', 'claimed') and not r.is_begun and r.unknown_at is null then
      update leasehold.records k set send_before = leasehold._after(now_at, -1)
      where k.pool = r.pool and k.id = r.id and k.version = r.version;
    end if;
    return row('overtaken', r.state)::leasehold.lookup_outcome;
  end if;
  -- Another one than a former owner named: two effects.
  perform case when decision = 'done' and leasehold._differ(apply_lookup.provider_ref, r.evidence_ref) then
    leasehold._tell_doubled(r, row(r.id, r.token, 'done', r.evidence_ref, null, false)::leasehold._verdict,
      apply_lookup.provider_ref, false, now_at) end;
  perform case decision
    when 'done' then leasehold._finish(r, 'done', coalesce(apply_lookup.provider_ref, r.evidence_ref), r.verdict, null, now_at)
    when 'review' then leasehold._review_after_lookup(r, 'looked_up', words, now_at)
    when 'requeue' then leasehold._requeue_after_lookup(r, settings, words, apply_lookup.send_before, now_at) end;
  return row('applied', (select k.state from leasehold.records k
    where k.pool = apply_lookup.pool and k.id = apply_lookup.id and k.version = apply_lookup.version))::leasehold.lookup_outcome;
end $$;

create or replace function leasehold._review_after_lookup(r leasehold.records, reason text, words text, now_at timestamptz) returns void
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
begin
  perform leasehold._to_review(r, reason, words, null, r.attempt - r.attempts_forgiven, now_at);
end $$;

-- The sender of an attempt before this one may still be running: what its provider needs to know it again holds on. Where a
-- former owner says that it is done, not found is an index that lags, rather than nothing sent: a person decides.
create or replace function leasehold._requeue_after_lookup(
  r leasehold.records, settings leasehold.pools, words text, send_before timestamptz, now_at timestamptz
) returns void
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
begin
  if r.evidence_at is not null then
    perform leasehold._review_after_lookup(r, 'looked_up', words, now_at);
  elsif r.attempt - r.attempts_forgiven >= settings.attempts then
    perform leasehold._review_after_lookup(r, 'attempts', r.error, now_at);
  else
    perform leasehold._requeue(r, 'looked_up', words, null, null, least(r.send_before, _requeue_after_lookup.send_before), now_at);
  end if;
end $$;
