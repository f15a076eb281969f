-- Why a record went back to the queue or needs a person: word for word domain/records/reasons.ts and pool-messages.ts.

create or replace function leasehold._in_brackets(words text) returns text
language sql immutable security invoker
return coalesce(' (' || words || ')', '');

create or replace function leasehold._known(id text) returns text
language sql immutable security invoker
return coalesce(nullif(id, ''), 'unknown');

-- expired | failed | returned | looked_up | person
create or replace function leasehold._message_requeued(
  name text, reason text, attempt integer, holder text, words text, was_begun boolean, not_before timestamptz
) returns text
language plpgsql stable security invoker set search_path = pg_catalog, pg_temp as $$
begin
  return format('Requeued %s: ', name) || case reason
    when 'expired' then case when was_begun then format(
        'the outcome of attempt %s by %s is unknown, and its pool says that a repeat is safe.', attempt, leasehold._known(holder))
      else format('the claim of %s expired before its work began.', leasehold._known(holder)) end
    when 'failed' then case when was_begun then format('attempt %s by %s failed', attempt, leasehold._known(holder))
        else format('%s failed before its work began', leasehold._known(holder)) end
      || format('%s; it is tried again from %s on.', leasehold._in_brackets(words), leasehold._iso(coalesce(not_before, 'epoch')))
    when 'returned' then format('%s gave it back unworked.', leasehold._known(holder))
    when 'looked_up' then format('its provider was asked: %s.', coalesce(words, 'nothing was said'))
    else format('a person decided so; reason: %s', coalesce(words, 'none'))
  end;
end $$;

-- expired | idle | attempts | unanswered | said | evidence | looked_up. Kept as the record's error. times: with idle, and
-- the attempts allowed with attempts.
create or replace function leasehold._words_review(reason text, attempt integer, holder text, words text, times integer) returns text
language plpgsql stable security invoker set search_path = pg_catalog, pg_temp as $$
declare
  by_part text := format('attempt %s by %s', attempt, leasehold._known(holder));
begin
  return case reason
    when 'expired' then format('nobody knows the outcome of %s, and nothing can ask for it', by_part)
    when 'idle' then format('its claims expired or failed %s times before its work began%s', times,
      leasehold._in_brackets(words))
    when 'attempts' then format('its attempts are used up, %s of them%s', times, leasehold._in_brackets(words))
    when 'unanswered' then format('nobody could say within 24h whether %s took effect', by_part)
    when 'said' then format('%s asked for it%s', leasehold._known(holder), leasehold._in_brackets(words))
    when 'evidence' then format('a former owner says that it is done, and %s is under way', by_part)
    else format('its provider was asked: %s', coalesce(words, 'nothing was said'))
  end;
end $$;

create or replace function leasehold._message_review(name text, pool text, words text) returns text
language sql immutable security invoker
return leasehold._capital(name) || ' is in review: ' || words || '; to see what waits: leasehold review '
  || leasehold._shell_word(pool);

create or replace function leasehold._message_claim_clock_fault(pool text, claim_id text, ended_at timestamptz, lease_until timestamptz)
returns text
language plpgsql stable security invoker set search_path = pg_catalog, pg_temp as $$
begin
  return format(
    'The lease of claim %s of pool "%s" was to end at %s, further away than its whole length: a clock was ahead. It ends at %s.',
    claim_id, pool, leasehold._iso(ended_at), leasehold._iso(lease_until));
end $$;

-- One line for each setting that differs: its name on the command line, what it was, what it is.
create or replace function leasehold._settings_told(settings leasehold.pools) returns text[]
language plpgsql stable security invoker set search_path = pg_catalog, pg_temp as $$
begin
  return array[
    settings.redo, coalesce(leasehold._duration(settings.redo_window_ms), 'none'), settings.attempts::text,
    leasehold._duration(settings.lease_ms), settings.claim_limit::text, leasehold._duration(settings.call_timeout_ms),
    coalesce(case when json_typeof(settings.verifier -> 'kind') = 'string' then settings.verifier ->> 'kind' end, 'none'),
    case when settings.paused_at is null then 'no' else 'yes' end];
end $$;

-- reason: for the event alone, null in the answer.
create or replace function leasehold._message_pool_changed(pool text, before leasehold.pools, after leasehold.pools, reason text)
returns text
language plpgsql stable security invoker set search_path = pg_catalog, pg_temp as $$
declare
  told text := (
    select string_agg(format('%s from %s to %s', c.word, c.was, c.became), ', ' order by c.place)
    from unnest(array['redo', 'redo window', 'attempts', 'lease', 'limit', 'call timeout', 'verifier', 'paused'],
      leasehold._settings_told(before), leasehold._settings_told(after)) with ordinality c (word, was, became, place)
    where c.was <> c.became);
  said text;
begin
  if told is null and before.verifier::text is not distinct from after.verifier::text then
    return format('Pool "%s" is set so already.', pool);
  end if;
  -- Another verifier of the same kind.
  said := format('Changed pool "%s": %s.', pool, coalesce(told, 'its verifier'));
  return case when reason is null then said else leasehold._with_reason(said, reason) end;
end $$;

create or replace function leasehold._message_decided(name text, action text) returns text
language sql immutable security invoker
return leasehold._capital(name) || case action
  when 'ask' then ' stays in review: the next sweep asks its provider again.'
  when 'done' then ' is done: a person decided so.'
  when 'requeue' then ' is queued again: a person decided so.'
  else ' has failed: a person decided so.' end;

create or replace function leasehold._message_undecided(name text, why text, state text) returns text
language plpgsql stable security invoker set search_path = pg_catalog, pg_temp as $$
begin
  return 'Decided nothing: ' || case why
    when 'no_such_record' then format('there is no %s; check its id, its version and its pool.', name)
    when 'several_versions' then format('several versions of %s could be meant; name one.', name)
    when 'wrong_state' then format('%s is %s, and that can''t be done to it.', name, coalesce(state, 'unknown'))
    else format('nothing can ask for %s; give its pool a verifier first.', name)
  end;
end $$;
