-- leasehold.claim and leasehold.claim_next, and the forms that the library calls.

-- Settles what expired claims left: up to 1,000 records of the pool, and whatever has to do with an offered id.
create or replace function leasehold._settle_before(settings leasehold.pools, ids text[], versions text[]) returns integer[]
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
declare
  counts integer[] := leasehold._settle(settings, 1000);
  more integer[];
  now_at timestamptz := leasehold._now();
  r leasehold.records;
begin
  if settings.is_versioned then
    perform leasehold._free_stranded(settings.pool, k.id, k.id)
    from unnest(ids, versions) o (id, version)
    join leasehold.records k on k.pool = settings.pool and k.id = o.id and k.version = coalesce(o.version, '')
    where k.waits and k.state = 'queued';
  end if;
  for r in
    select l.* from unnest(ids, versions) o (id, version)
    cross join lateral (
      select k.* from leasehold.records k
      where k.pool = settings.pool and k.id = o.id and k.version = coalesce(o.version, '') and k.state = 'claimed'
        and (k.unknown_at is not null or not exists (select from leasehold.claims c where c.token = k.token and c.lease_until > now_at))
      for no key update skip locked
    ) l
    order by l.id, l.version
  loop
    -- A claim whose row another call has locked is being extended or settled by it.
    if r.unknown_at is null and exists (select from leasehold.claims c where c.token = r.token) and not exists (
      select from leasehold.claims c where c.token = r.token and c.lease_until <= now_at for no key update skip locked
    ) then
      continue;
    end if;
    continue when not leasehold._locks_versions(r);
    counts := leasehold._counted(counts, leasehold._settle_record(r, leasehold._claim_of(r.token), settings, now_at));
  end loop;
  return counts;
end $$;

-- Whether a record that the claim has to work goes alone.
create or replace function leasehold._has_alone(pool text, token text) returns boolean
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
begin
  return exists (select from leasehold.records r
    where r.token = _has_alone.token and (r.pool = _has_alone.pool) is true and r.state = 'claimed' and r.unknown_at is null
      and r.idle_requeues >= 2);
end $$;

create or replace function leasehold._take(
  settings leasehold.pools, claim leasehold.claims, ids text[], versions text[], payloads text[], not_befores timestamptz[],
  room integer, namespace text, holds boolean, may_arrive boolean, out taken integer, out is_alone boolean,
  out last_place integer, out busy integer[]
)
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
begin
  taken := leasehold._held_count(claim);
  is_alone := leasehold._has_alone(claim.pool, claim.token);
  if settings.is_versioned then
    select t.* into taken, is_alone, last_place, busy from leasehold._take_versioned(settings, claim, ids, versions, payloads,
      not_befores, room, namespace, holds, may_arrive, taken, is_alone) t;
  else
    select t.* into taken, is_alone, last_place, busy from leasehold._take_offered(settings, claim, ids, versions, payloads,
      not_befores, room, namespace, holds, may_arrive, taken, is_alone) t;
  end if;
end $$;

-- The same of a claim that goes on. Its lease may have ended while this call waited: then nothing of it was done, since
-- nobody would settle what a claim takes after its end.
create or replace function leasehold._take_more(
  settings leasehold.pools, claim leasehold.claims, ids text[], versions text[], payloads text[], not_befores timestamptz[],
  room integer, namespace text, holds boolean, may_arrive boolean, out taken integer, out is_alone boolean,
  out last_place integer, out busy integer[], out is_over boolean
)
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
begin
  is_over := false;
  select t.* into taken, is_alone, last_place, busy
  from leasehold._take(settings, claim, ids, versions, payloads, not_befores, room, namespace, holds, may_arrive) t;
  if claim.settled_at is not null or claim.lease_until <= leasehold._now() then
    raise exception using errcode = 'LH000';
  end if;
exception
  when sqlstate 'LH000' then
    is_over := true;
end $$;

-- leasehold.claim_records: what leasehold.claim does, as one row: outcome claimed | paused | lock_lost | claim_ended, what
-- it owns, what it was refused and why, and what it settled of expired claims first. payloads and not_befores are for what
-- is not known yet. is_continued: a repeat of the claim takes more, up to the limit in all. Each key once.
-- Errors: LH002 (an argument), LH003 (in a transaction).
create or replace function leasehold.claim_records(
  pool text, holder text, ids text[], versions text[], payloads text[], not_befores timestamptz[], batch_limit integer,
  lease interval, claim_id text, lock_token text, explicit_begin boolean, holder_info jsonb, namespace text,
  is_continued boolean default false
) returns leasehold.claim_answer
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
set enable_seqscan = off set lock_timeout = '2s' as $$
declare
  settings leasehold.pools;
  claim leasehold.claims;
  earlier leasehold.claims;
  room integer;
  has integer := 0;
  turn record;
  came record;
  holds boolean;
  settled integer[] := array[0, 0, 0];
  owned leasehold.owned_record[] := '{}';
  answer leasehold.claim_answer;
begin
  perform leasehold._refuse_in_transaction('claim', statement_timestamp());
  settings := leasehold._pool_row(pool);
  room := leasehold._claim_limit(settings, batch_limit);
  claim := leasehold._checked_claim(settings, holder, lease, claim_id, explicit_begin, holder_info);
  perform leasehold._check_keys(ids, versions);
  perform leasehold._check_payloads(ids, payloads, not_befores, namespace);
  if lock_token is not null then
    claim.lock := leasehold._held_lock(lock_token);
    if claim.lock is null then
      return leasehold._nothing_claimed(claim, 'lock_lost');
    end if;
  end if;
  if claim_records.claim_id is not null then
    earlier := leasehold._earlier_claim(claim);
  end if;
  if earlier.token is not null then
    claim := earlier;
    if claim.lease_until <= leasehold._now() then
      return leasehold._nothing_claimed(claim, 'claim_ended');
    end if;
    owned := leasehold._owned(claim, '{}', '{}');
    has := leasehold._held_count(claim);
    if not coalesce(is_continued, false) then
      return leasehold._claim_answer(claim, owned, leasehold._refusals(claim, ids, versions, cardinality(ids), false, false,
        settings.is_versioned, null, null, case when has >= room then 'over_limit' else 'not_taken' end), cardinality(ids), settled, true, false);
    end if;
  end if;
  if settings.paused_at is not null then
    answer := leasehold._nothing_claimed(claim, 'paused');
    answer.refused := leasehold._refusals(claim, ids, versions, 0, false, true, false, null);
    return answer;
  end if;
  turn := leasehold._take_turn_to_arrive(settings, ids, versions, false);
  settings.is_versioned := turn.is_versioned;
  -- What was settled here of the claim's own, its lease being over since, is not this call's any more.
  settled := leasehold._settle_before(settings, ids, versions);
  holds := turn.has_waited or settled <> array[0, 0, 0];
  if earlier.token is null then
    came := leasehold._take(settings, claim, ids, versions, payloads, not_befores, room, namespace, holds, turn.has_turn);
    if exists (select from leasehold.records r where r.token = claim.token) then
      claim := leasehold._write_claim(claim);
    end if;
  else
    claim := leasehold._claim_of(claim.token);
    came := leasehold._take_more(settings, claim, ids, versions, payloads, not_befores, room, namespace, holds, turn.has_turn);
    if came.is_over then
      answer := leasehold._nothing_claimed(claim, 'claim_ended');
      answer.requeued := settled[1];
      answer.sent_to_review := settled[2];
      answer.cancelled := settled[3];
      return answer;
    end if;
  end if;
  return leasehold._claim_answer(claim, leasehold._owned(claim, ids, versions),
    leasehold._refusals(claim, ids, versions, case when came.taken < room then cardinality(ids) else came.last_place end,
      came.is_alone, false, settings.is_versioned, leasehold._last_send(claim, settings, leasehold._now()), came.busy), cardinality(ids),
    settled, false, earlier.token is null);
end $$;

-- leasehold.claim: claims records by their ids; what is not known yet is made known.
--   ids         up to 10,000, in the order in which they are wanted; given twice, the first counts
--   batch_limit records at most, 1 to 10,000; left out: the pool's, 50 unless it was changed
--   lease       1 second to 31 days; left out: the pool's, 10 minutes unless it was changed
--   versions    as many as ids, or left out
--   claim_id    makes the call repeatable: the same claim_id and holder is the same claim, and gets what it has
--   lock_token  of the lock that has to be held
--   explicit_begin  false: each record counts as begun from now on; true: leasehold.begin says when
--   holder_info, payloads, namespace  see leasehold.enqueue
-- Answers one row a record: owned, or why not; claim_ended where claim_id names a claim whose lease is over. Errors: LH001 (the lock is lost), LH002, LH003.
-- A crash after it leaves claimed records, which the first claim or sweep after lease_until settles.
create or replace function leasehold.claim(
  pool text, holder text, ids text[], batch_limit integer default null, lease interval default null,
  versions text[] default null, claim_id text default null, lock_token text default null,
  explicit_begin boolean default false, holder_info jsonb default null, payloads jsonb[] default null,
  namespace text default ''
) returns setof leasehold.claim_row
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp set lock_timeout = '2s' rows 50 as $$
declare
  offered record;
  answer leasehold.claim_answer;
begin
  ids := ids[:];
  versions := versions[:];
  payloads := payloads[:];
  perform leasehold._check_keys(ids, versions);
  perform leasehold._check_payloads(ids, payloads::text[], null, namespace);
  select coalesce(array_agg(o.id order by o.place), '{}') as ids,
    coalesce(array_agg(coalesce(o.version, '') order by o.place), '{}') as versions,
    coalesce(array_agg(o.payload order by o.place), '{}') as payloads
  into offered
  from (
    select distinct on (u.id collate "C", coalesce(u.version, '') collate "C") u.*
    from unnest(ids, versions, payloads::text[]) with ordinality u (id, version, payload, place)
    order by u.id collate "C", coalesce(u.version, '') collate "C", u.place
  ) o;
  answer := leasehold.claim_records(pool, holder, offered.ids, case when versions is not null then offered.versions end,
    case when payloads is not null then offered.payloads end, null, batch_limit, lease, claim_id, lock_token,
    explicit_begin, holder_info, namespace);
  if answer.outcome = 'claim_ended' then
    answer.refused := array(
      select row(o.id, o.version, answer.outcome, null, null)::leasehold.refused_record
      from unnest(offered.ids, offered.versions) with ordinality o (id, version, place) order by o.place);
  end if;
  return query select r.* from leasehold._claim_rows(answer) r;
end $$;
