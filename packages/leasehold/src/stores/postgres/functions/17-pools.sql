-- Pools: what they are set to, and how they stand.

-- What changed, without a verifier's inside: that may name what is nobody's business.
create or replace function leasehold._settings_json(settings leasehold.pools, changed text[]) returns jsonb
language plpgsql stable security invoker set search_path = pg_catalog, pg_temp as $$
declare
  whole jsonb := jsonb_build_object('redo', settings.redo, 'redoWindowMs', settings.redo_window_ms,
    'attempts', settings.attempts, 'leaseMs', settings.lease_ms, 'limit', settings.claim_limit,
    'callTimeoutMs', settings.call_timeout_ms, 'verifier', (leasehold._settings_told(settings))[7]);
begin
  return (select coalesce(jsonb_object_agg(w.key, w.value), '{}') from jsonb_each(whole) w where w.key = any(changed))
    || jsonb_build_object('paused', settings.paused_at is not null);
end $$;

create or replace function leasehold._check_settings(settings jsonb) returns void
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
declare
  bad text;
begin
  if jsonb_typeof(settings) <> 'object' then
    perform leasehold._refuse('settings must be a JSON object');
  end if;
  bad := (select min(k) from jsonb_object_keys(settings) k
    where k not in ('redo', 'redoWindowMs', 'attempts', 'leaseMs', 'limit', 'callTimeoutMs', 'verifier'));
  if bad is not null then
    perform leasehold._refuse(format('"%s" is no setting of a pool', bad));
  end if;
  if coalesce(settings ->> 'redo', 'ask') not in ('ask', 'safe') then
    perform leasehold._refuse(format('redo is "%s"; it must be ask or safe', settings ->> 'redo'));
  end if;
  perform leasehold._check_setting(settings, 'redoWindowMs', 'redo window in ms', 1, 315360000000, true);
  perform leasehold._check_setting(settings, 'attempts', 'attempts', 1, 100, false);
  perform leasehold._check_setting(settings, 'leaseMs', 'lease in ms', 1000, 2678400000, false);
  perform leasehold._check_setting(settings, 'limit', 'claim limit', 1, 10000, false);
  perform leasehold._check_setting(settings, 'callTimeoutMs', 'call time-out in ms', 0, 3600000, false);
end $$;

create or replace function leasehold._check_setting(
  settings jsonb, name text, label text, least_value bigint, most bigint, is_nullable boolean
) returns void
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
declare
  value jsonb := settings -> name;
  number numeric := case when jsonb_typeof(value) = 'number' then value::numeric end;
begin
  if value is null or is_nullable and value = 'null' then
    return;
  end if;
  if number is null or number <> trunc(number) or not number between least_value and most then
    perform leasehold._refuse(format('%s must be a whole number from %s to %s', label, least_value, most));
  end if;
end $$;

-- JSON text of an object with the kind function and delays. What else it says is refused by its name: a word that is misspelt
-- would be no delay, and no secret is to be kept here.
create or replace function leasehold._checked_verifier(verifier text) returns json
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
declare
  value json;
  delays jsonb;
  known text[] := array['callTimeoutMs', 'commitDelayMs', 'visibilityDelayMs', 'retentionMs', 'idempotencyWindowMs',
    'lookupTimeoutMs'];
  name text;
begin
  if octet_length(verifier) > 65536 then
    perform leasehold._refuse(format('verifier is %s bytes long; the limit is %s', octet_length(verifier), 65536));
  end if;
  begin
    value := verifier::json;
    delays := verifier::jsonb;
  exception
    when invalid_text_representation or untranslatable_character then
      perform leasehold._refuse('verifier is not JSON; give it an object with a "kind"');
  end;
  if verifier is not null and coalesce(case when json_typeof(value) = 'object' and json_typeof(value -> 'kind') = 'string'
    then value ->> 'kind' end, '') = '' then
    perform leasehold._refuse('verifier has no kind; give it an object with a "kind"');
  end if;
  if value ->> 'kind' <> 'function' then
    perform leasehold._refuse('the kind of a verifier must be "function" in this release');
  end if;
  delays := delays - 'kind';
  for name in select k from jsonb_object_keys(delays) k order by k loop
    if not name = any(known) then
      perform leasehold._refuse(format('"%s" is not known of a verifier; beside its kind it may have %s', name,
        array_to_string(known, ', ')));
    end if;
    perform leasehold._check_setting(delays, name, 'verifier ' || name, 0,
      case when name = 'callTimeoutMs' then 3600000 else 315360000000 end, false);
  end loop;
  return value;
end $$;

-- leasehold.change_pool: sets a pool, and makes it where there is none. What is left out stays; a change is an event.
--   settings  redo (ask | safe), redoWindowMs, attempts, leaseMs, limit, callTimeoutMs, verifier (JSON text, or an object)
--   paused    true: nothing more is given out, what is under way goes on; false: it goes on; null leaves it
--   reason    for the event
-- Answers changed | unchanged, and what it is set to. Errors: LH002.
create or replace function leasehold.change_pool(
  pool text, settings jsonb default '{}', paused boolean default null, reason text default null
) returns leasehold.pool_answer
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp set lock_timeout = '5s' as $$
declare
  before leasehold.pools;
  after leasehold.pools;
  changed text[];
  now_at timestamptz;
  is_changed boolean;
begin
  settings := coalesce(settings, '{}');
  perform leasehold._check_settings(settings);
  perform case when reason is not null then leasehold._check_text(reason, 'reason', 4096) end;
  before := leasehold._pool_row(pool);
  select p.* into before from leasehold.pools p where p.pool = change_pool.pool for no key update;
  now_at := leasehold._now();
  after := before;
  after.redo := coalesce(settings ->> 'redo', before.redo);
  after.redo_window_ms := case when settings ? 'redoWindowMs' then (settings ->> 'redoWindowMs')::numeric else before.redo_window_ms end;
  after.attempts := coalesce((settings ->> 'attempts')::numeric, before.attempts);
  after.lease_ms := coalesce((settings ->> 'leaseMs')::numeric, before.lease_ms);
  after.claim_limit := coalesce((settings ->> 'limit')::numeric, before.claim_limit);
  after.verifier := case when settings ? 'verifier' then leasehold._checked_verifier(settings ->> 'verifier') else before.verifier end;
  -- A verifier brings the call time-out with it, unless the same change names one.
  after.call_timeout_ms := coalesce((settings ->> 'callTimeoutMs')::numeric,
    case when settings ? 'verifier' then (after.verifier ->> 'callTimeoutMs')::numeric end, before.call_timeout_ms);
  after.paused_at := case when paused then coalesce(before.paused_at, now_at) when paused is null then before.paused_at end;
  perform leasehold._check_claim_lease(after.lease_ms, after);
  changed := array_remove(array[
    case when after.redo <> before.redo then 'redo' end,
    case when after.redo_window_ms is distinct from before.redo_window_ms then 'redoWindowMs' end,
    case when after.attempts <> before.attempts then 'attempts' end,
    case when after.lease_ms <> before.lease_ms then 'leaseMs' end,
    case when after.claim_limit <> before.claim_limit then 'limit' end,
    case when after.call_timeout_ms <> before.call_timeout_ms then 'callTimeoutMs' end,
    case when after.verifier::text is distinct from before.verifier::text then 'verifier' end], null);
  is_changed := cardinality(changed) > 0 or (after.paused_at is null) <> (before.paused_at is null);
  if is_changed then
    update leasehold.pools p set redo = after.redo, redo_window_ms = after.redo_window_ms, attempts = after.attempts,
      lease_ms = after.lease_ms, claim_limit = after.claim_limit, call_timeout_ms = after.call_timeout_ms,
      verifier = after.verifier, paused_at = after.paused_at
    where p.pool = change_pool.pool;
    -- What waits for an answer may have another way now.
    update leasehold.claims c set is_asking = false
    where c.pool = change_pool.pool and c.settled_at is null and c.is_asking and changed && array['redo', 'redoWindowMs', 'verifier'];
    perform leasehold._event('settings.changed', 'info', null, null, null,
      leasehold._message_pool_changed(pool, before, after, reason),
      jsonb_build_object('before', leasehold._settings_json(before, changed), 'after', leasehold._settings_json(after, changed),
        'reason', reason), now_at, pool);
  end if;
  return row(case when is_changed then 'changed' else 'unchanged' end, pool, after.redo, after.redo_window_ms, after.attempts,
    after.lease_ms, after.claim_limit, after.call_timeout_ms, after.verifier::text, after.paused_at is not null,
    leasehold._message_pool_changed(pool, before, after, null))::leasehold.pool_answer;
end $$;
