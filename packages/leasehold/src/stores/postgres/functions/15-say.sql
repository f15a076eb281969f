-- Begins and verdicts from SQL, one record at a time. Errors: LH002; begin: LH003 in a transaction that has written or is
-- over 1 s old. Verdicts may be given in a transaction of the caller's: what is rolled back was not said.

create or replace function leasehold._checked_item(pool text, id text, token text) returns leasehold.pools
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
declare
  settings leasehold.pools;
begin
  perform leasehold._check_text(pool, 'pool name', 255);
  perform leasehold._check_text(id, 'record id', 1024);
  perform leasehold._check_text(token, 'token', 1024);
  select p.* into settings from leasehold.pools p where p.pool = _checked_item.pool;
  if settings.pool is null then
    settings := leasehold._unknown_pool(pool);
  end if;
  return settings;
end $$;

create or replace function leasehold._answer_of(pool text, came leasehold.work_row) returns leasehold.verdict_answer
language sql stable security invoker
return row(came.outcome, pool, came.id, came.version, came.state, came.not_before, came.reason, came.message)::leasehold.verdict_answer;

-- domain/records/error-text.ts: one line of at most 4,096 bytes. It is made to fit and never refused; null where it says nothing.
create or replace function leasehold._kept_error(error text) returns text
language plpgsql immutable security invoker set search_path = pg_catalog, pg_temp as $$
declare
  kept text := left(btrim(regexp_replace(error, E'[\\u0001-\\u001f\\u007f-\\u009f]', ' ', 'g')), 4096);
begin
  while octet_length(convert_to(kept, 'UTF8')) > 4096 loop
    kept := left(kept, -greatest(1, (octet_length(convert_to(kept, 'UTF8')) - 4096) / 4));
  end loop;
  return nullif(kept, '');
end $$;

-- Who speaks for one record of a claim may be sending the next, whatever becomes of the process that claimed. Of a claim that
-- names no process nothing is proven, and no verdict writes its row.
create or replace function leasehold._note_speaker(pool text, token text) returns void
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
begin
  if exists (select from leasehold.claims c
    where c.token = _note_speaker.token and c.holder_info is not null and not c.is_shared) then
    perform leasehold._note_shared(_note_speaker.pool, array[_note_speaker.token]);
  end if;
end $$;

-- One verdict by itself: the ordinary one as 14-work.sql has it, with its words.
create or replace function leasehold._say(settings leasehold.pools, v leasehold._verdict) returns leasehold.verdict_answer
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
declare
  version text;
  name text;
begin
  perform leasehold._note_speaker(settings.pool, v.token);
  version := case when v.verdict = 'done' then leasehold._done_plain(settings.pool, v.id, v.token, v.provider_ref) end;
  if version is null then
    return leasehold._answer_of(settings.pool, leasehold._verdict_one(settings, 1, v));
  end if;
  name := leasehold._record_name(settings.pool, v.id, version);
  return row('accepted', settings.pool, v.id, version, 'done', null, null,
    leasehold._message_verdict(name, 'done', v.provider_ref, null, null))::leasehold.verdict_answer;
end $$;

-- leasehold.begin: from here on the provider may be called. Refused where less than the pool's call time-out of the lease
-- is left, past the record's send_before, or where the record is no longer this token's; again by the same token: once.
-- Answers accepted | refused.
create or replace function leasehold.begin(pool text, id text, token text) returns leasehold.begin_answer
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
set enable_seqscan = off set lock_timeout = '2s' as $$
declare
  settings leasehold.pools := leasehold._checked_item(pool, id, token);
  begun record;
  came leasehold.work_row;
begin
  perform leasehold._refuse_in_transaction('begin');
  perform leasehold._note_shared(pool, array[token]);
  begun := leasehold._begin_plain(pool, id, token);
  if begun.version is not null then
    return row('accepted', pool, id, begun.version, begun.attempt, begun.at, leasehold._ms_between(begun.at, begun.lease_until),
      null, leasehold._message_begun(leasehold._record_name(pool, id, begun.version), begun.attempt))::leasehold.begin_answer;
  end if;
  came := leasehold._begin_one(settings, 1, id, token);
  return row(came.outcome, pool, came.id, came.version, came.attempt, came.begun_at, came.remaining_ms, came.reason,
    came.message)::leasehold.begin_answer;
end $$;

-- leasehold.done: the provider confirmed it. provider_ref: its reference, 1 to 4,096 bytes. Answers accepted | refused |
-- evidence (said by one who no longer owns it, and kept).
create or replace function leasehold.done(pool text, id text, token text, provider_ref text default null) returns leasehold.verdict_answer
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
set enable_seqscan = off set lock_timeout = '2s' as $$
declare
  settings leasehold.pools := leasehold._checked_item(pool, id, token);
begin
  perform case when provider_ref is not null then leasehold._check_text(provider_ref, 'provider reference', 4096) end;
  return leasehold._say(settings, row(id, token, 'done', provider_ref, null, false)::leasehold._verdict);
end $$;

-- leasehold.failed: the provider certainly did nothing. It is tried again after a while, unless it is permanent.
create or replace function leasehold.failed(
  pool text, id text, token text, error text default null, permanent boolean default false
) returns leasehold.verdict_answer
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
set enable_seqscan = off set lock_timeout = '2s' as $$
declare
  settings leasehold.pools := leasehold._checked_item(pool, id, token);
begin
  return leasehold._say(settings,
    row(id, token, 'failed', null, leasehold._kept_error(error), coalesce(permanent, false))::leasehold._verdict);
end $$;

-- leasehold.unknown: a time-out, a lost connection, a 5xx after sending. It stays claimed, and the next sweep settles it.
create or replace function leasehold.unknown(pool text, id text, token text, error text default null) returns leasehold.verdict_answer
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
set enable_seqscan = off set lock_timeout = '2s' as $$
declare
  settings leasehold.pools := leasehold._checked_item(pool, id, token);
begin
  return leasehold._say(settings, row(id, token, 'unknown', null, leasehold._kept_error(error), false)::leasehold._verdict);
end $$;

-- leasehold.review: a person must look.
create or replace function leasehold.review(pool text, id text, token text, error text default null) returns leasehold.verdict_answer
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
set enable_seqscan = off set lock_timeout = '2s' as $$
declare
  settings leasehold.pools := leasehold._checked_item(pool, id, token);
begin
  return leasehold._say(settings, row(id, token, 'review', null, leasehold._kept_error(error), false)::leasehold._verdict);
end $$;
