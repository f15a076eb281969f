-- The sentences of records: word for word those of the library's domain/records/messages.ts. No token and no payload ever
-- stands in one.

create or replace function leasehold._count_of(number bigint) returns text
language sql immutable security invoker
return case when number = 1 then '1 record' else number || ' records' end;

create or replace function leasehold._record_name(pool text, id text, version text) returns text
language sql immutable security invoker
return 'record "' || id || '"' || case when coalesce(version, '') = '' then '' else ' (version "' || version || '")' end
  || ' of pool "' || pool || '"';

-- As a sentence begins.
create or replace function leasehold._capital(name text) returns text
language sql immutable security invoker
return upper(left(name, 1)) || substr(name, 2);

create or replace function leasehold._message_claim(
  outcome text, pool text, claim_id text, owned bigint, offered bigint, lease_until timestamptz, is_repeat boolean
) returns text
language plpgsql stable security invoker set search_path = pg_catalog, pg_temp as $$
declare
  until_part text := coalesce(', until ' || leasehold._iso(lease_until), '');
begin
  return case outcome
    when 'paused' then format('Claimed nothing of pool "%s": it is paused; to go on: leasehold resume --pool %s',
      pool, leasehold._shell_word(pool))
    when 'lock_lost' then format(
      'Claimed nothing of pool "%s": the lock that the claim names is no longer held by that token; stop.', pool)
    when 'claim_ended' then format(
      'Claimed nothing of pool "%s": claim %s had its records and its lease is over; a new claim needs a new claim id.',
      pool, claim_id)
    else case
      when is_repeat then format('Claim %s of pool "%s" has %s%s: the same claim asked again.',
        claim_id, pool, leasehold._count_of(owned), until_part)
      when offered is null and owned = 0 then format('Claimed nothing of pool "%s": no record of its queue may be had now.', pool)
      when offered is null then format('Claimed %s of pool "%s"%s.', leasehold._count_of(owned), pool, until_part)
      when owned = 0 then format('Claimed none of %s offered to pool "%s"; each has its reason.',
        leasehold._count_of(offered), pool)
      else format('Claimed %s of %s offered to pool "%s"%s.', owned, leasehold._count_of(offered), pool, until_part)
    end
  end;
end $$;

create or replace function leasehold._message_begun(name text, attempt integer) returns text
language sql immutable security invoker
return 'Began attempt ' || attempt || ' of ' || name || '.';

-- remaining_ms of its claim's lease. Also the words of the event.
create or replace function leasehold._message_begin_refused(name text, reason text, remaining_ms bigint, call_timeout_ms bigint) returns text
language plpgsql stable security invoker set search_path = pg_catalog, pg_temp as $$
begin
  return format('Refused to begin %s', name) || case reason
    when 'lease_over' then case when remaining_ms <= 0 then ': the lease of its claim is over; send nothing.'
      else format(': its claim has %s left and a call to the provider may take %s; extend the claim first.',
        leasehold._duration(remaining_ms), leasehold._duration(call_timeout_ms)) end
    when 'not_claimed' then ': it has its verdict, or waits for its provider''s answer; send nothing.'
    when 'send_before' then ': its provider may no longer know it again, so it has to be asked first; send nothing.'
    when 'not_owner' then ': this token does not own it; send nothing.'
    else ': there is no such record; check its id and its pool.'
  end;
end $$;

-- Where the record stands now: why with review, from not_before on with queued.
create or replace function leasehold._message_verdict(name text, state text, provider_ref text, not_before timestamptz, why text) returns text
language plpgsql stable security invoker set search_path = pg_catalog, pg_temp as $$
begin
  return leasehold._capital(name) || case state
    when 'done' then ' is done' || coalesce(' (provider reference ' || provider_ref || ').', '.')
    when 'failed' then ' has failed.'
    when 'queued' then format(' is tried again, not before %s.', leasehold._iso(coalesce(not_before, 'epoch')))
    when 'claimed' then ' stays claimed: its outcome is unknown, and the next sweep settles it.'
    when 'review' then ' is in review' || coalesce(': ' || why || '.', '.')
    else ' is cancelled.'
  end;
end $$;

-- given: the verdict that counts. Also the words of the event.
create or replace function leasehold._message_verdict_refused(name text, reason text, verdict text, given text) returns text
language plpgsql stable security invoker set search_path = pg_catalog, pg_temp as $$
begin
  return format('Refused %s for %s', verdict, name) || case reason
    when 'not_owner' then ': this token does not own it.'
    when 'other_verdict' then format(': its verdict was %s.', coalesce(given, 'another one'))
    else ': there is no such record; check its id and its pool.'
  end;
end $$;

-- Of an owner that had said nothing when the record was settled: where it stands, and what came too late.
create or replace function leasehold._message_verdict_late(name text, verdict text, state text, since timestamptz, error text) returns text
language plpgsql stable security invoker set search_path = pg_catalog, pg_temp as $$
begin
  return format('Refused %s for %s: it is %s since %s, before this was said%s.', verdict, name,
    case when state = 'review' then 'in review' else state end, leasehold._iso(since), coalesce(' (' || error || ')', ''));
end $$;

create or replace function leasehold._message_evidence(name text, state text) returns text
language sql immutable security invoker
return case when state = 'review' then 'Kept as evidence that ' || name
    || ' is done; another claim has begun it, so it is in review until that one has its verdict.'
  else 'Kept as evidence: ' || name || ' is done.' end;

create or replace function leasehold._message_doubled(name text, kept text, other text) returns text
language sql immutable security invoker
return leasehold._capital(name) || ' took effect twice: its provider references are ' || kept || ' and ' || other
  || '; see which one has to be undone.';

-- claim_id null for a token that no claim of the pool has.
create or replace function leasehold._message_extend(pool text, claim_id text, lease_until timestamptz, reason text, now_at timestamptz)
returns text
language plpgsql stable security invoker set search_path = pg_catalog, pg_temp as $$
begin
  return case
    when reason is null then format('Extended claim %s of pool "%s" until %s.', claim_id, pool, leasehold._iso(lease_until))
    when reason = 'expired' then format('Lost claim %s of pool "%s": its lease ended %s ago; begin nothing more.',
      claim_id, pool, leasehold._duration(leasehold._ms_between(coalesce(lease_until, now_at), now_at)))
    when reason = 'settled' then format('Lost claim %s of pool "%s": each of its records has its verdict or went back.',
      claim_id, pool)
    else format('Lost the claim: no claim of pool "%s" has this token; check the pool and the token.', pool)
  end;
end $$;

create or replace function leasehold._message_return(pool text, claim_id text, returned bigint, kept bigint) returns text
language plpgsql stable security invoker set search_path = pg_catalog, pg_temp as $$
begin
  if claim_id is null then
    return format('Gave nothing back: no claim of pool "%s" has this token; check the pool and the token.', pool);
  end if;
  return format('Gave %s of claim %s back to pool "%s"', leasehold._count_of(returned), claim_id, pool)
    || case when kept = 0 then '.' else format('; it keeps %s, which only a verdict settles.', leasehold._count_of(kept)) end;
end $$;
