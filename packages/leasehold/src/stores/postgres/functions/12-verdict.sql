-- One verdict, whatever it is: domain/records/decide-verdict.ts. The ordinary ones of many are set-based in 14-work.sql.

-- What a token keeps as its last word.
create or replace function leasehold._spoken(v leasehold._verdict) returns text
language sql immutable security invoker
return case when v.verdict = 'failed' and v.is_permanent then 'failed_permanent' else v.verdict end;

-- 30 s, doubling to 1 h: after the nth failed attempt, from 1.
create or replace function leasehold._backoff_ms(attempts integer) returns bigint
language sql immutable security invoker
return least(3600000, 30000 * power(2, least(20, greatest(0, attempts - 1)))::bigint);

create or replace function leasehold._differ(one text, other text) returns boolean
language sql immutable security invoker
return coalesce(one <> other, false);

-- The version of an id that carries the token, or once did; failing that the newest. Locked. speaker: owner | former |
-- stranger; former_verdict, former_ref: what a former owner said last, or an owner after its own done. All null for an id that is not known.
create or replace function leasehold._record_of(
  pool text, id text, token text, out r leasehold.records, out speaker text, out former_verdict text,
  out former_ref text
)
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
begin
  -- Every version that a verdict may touch, in the order of the keys.
  perform leasehold._lock_versions(_record_of.pool, array[_record_of.id]);
  select k.* into r from leasehold.records k
  where k.pool = _record_of.pool and k.id = _record_of.id and (k.token = _record_of.token) is true
  order by (k.state = 'claimed') desc, k.no desc limit 1 for no key update;
  if r.id is not null then
    speaker := 'owner';
    if r.state = 'done' then
      select f.verdict, f.provider_ref into former_verdict, former_ref from leasehold.former_owners f
      where f.pool = r.pool and f.id = r.id and f.version = r.version and f.token = _record_of.token;
    end if;
    return;
  end if;
  select k.* into r from leasehold.records k
  where k.pool = _record_of.pool and k.id = _record_of.id and exists (
    select from leasehold.former_owners f
    where f.pool = k.pool and f.id = k.id and f.version = k.version and f.token = _record_of.token)
  order by (select f.until_at from leasehold.former_owners f where f.pool = k.pool and f.id = k.id and f.version = k.version
    and f.token = _record_of.token) desc, k.no desc limit 1 for no key update;
  if r.id is not null then
    speaker := 'former';
    select f.verdict, f.provider_ref into former_verdict, former_ref from leasehold.former_owners f
    where f.pool = r.pool and f.id = r.id and f.version = r.version and f.token = _record_of.token;
    return;
  end if;
  speaker := 'stranger';
  select k.* into r from leasehold.records k
  where k.pool = _record_of.pool and k.id = _record_of.id order by k.no desc limit 1;
end $$;

-- done | failed | flag | review | requeue | spent | idle | repeat | evidence_done | evidence_waits | evidence_settles |
-- evidence_known | doubled, or why it is refused: not_owner | other_verdict | settled | unknown_record.
create or replace function leasehold._decide_verdict(
  r leasehold.records, speaker text, former_verdict text, v leasehold._verdict, attempts integer
) returns text
language plpgsql immutable security invoker set search_path = pg_catalog, pg_temp as $$
declare
  spoken text := leasehold._spoken(v);
begin
  return case
    when r.id is null then 'unknown_record'
    when speaker = 'stranger' then 'not_owner'
    when speaker = 'former' then case
      when spoken <> 'done' then case when former_verdict = spoken then 'repeat' else 'not_owner' end
      when r.state = 'done' then
        case when leasehold._differ(v.provider_ref, r.provider_ref) then 'doubled' else 'evidence_known' end
      -- One that said it doesn't know has spoken.
      when r.is_begun and (r.state = 'claimed' and r.verdict is distinct from 'unknown' or r.state = 'review' and r.evidence_at is not null) then 'evidence_waits'
      else 'evidence_done' end
    when r.state = 'claimed' then case
      -- A person has decided against what a former owner named: it is known all the same.
      when spoken = 'done' then case when r.evidence_ref is null then 'done' else 'evidence_settles' end
      when spoken = 'failed_permanent' then 'failed'
      when spoken = 'review' then 'review'
      when spoken = 'unknown' then case when r.unknown_at is null then 'flag' else 'repeat' end
      when r.attempt - r.attempts_forgiven >= attempts then 'spent'
      when not r.is_begun and leasehold._is_idle_spent(leasehold._one_more(r.idle_requeues), attempts) then 'idle'
      else 'requeue' end
    when r.state = 'review' and r.evidence_at is not null then 'evidence_settles'
    when spoken = 'done' then case
      when r.state <> 'done' then 'evidence_done'
      when leasehold._differ(v.provider_ref, r.provider_ref) then 'doubled'
      else 'repeat' end
    when r.verdict is null then 'settled'
    when r.verdict = spoken then 'repeat'
    else 'other_verdict'
  end;
end $$;

-- The owner's word on a record that it has. Answers the message.
create or replace function leasehold._apply_verdict(
  r leasehold.records, decision text, v leasehold._verdict, now_at timestamptz, out message text, out not_before timestamptz
)
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
declare
  name text := leasehold._record_name(r.pool, r.id, r.version);
  spoken text := leasehold._spoken(v);
  ref text;
begin
  case decision
    when 'done' then
      perform leasehold._finish(r, 'done', v.provider_ref, 'done', null, now_at);
      message := leasehold._message_verdict(name, 'done', v.provider_ref, null, null);
    when 'failed' then
      perform leasehold._finish(r, 'failed', null, spoken, v.error, now_at);
      message := leasehold._message_verdict(name, 'failed', null, null, null);
    when 'flag' then
      update leasehold.records f set unknown_at = now_at, asked_at = null, ask_since = null, verdict = spoken,
        error = v.error, updated_at = now_at
      where f.pool = r.pool and f.id = r.id and f.version = r.version;
      message := leasehold._message_verdict(name, 'claimed', null, null, null);
    when 'review' then
      message := leasehold._message_verdict(name, 'review', null, null,
        leasehold._to_review(r, 'said', v.error, spoken, null, now_at));
    when 'spent' then
      message := leasehold._message_verdict(name, 'review', null, null,
        leasehold._to_review(r, 'attempts', v.error, spoken, r.attempt - r.attempts_forgiven, now_at));
    when 'idle' then
      r.idle_requeues := leasehold._one_more(r.idle_requeues);
      message := leasehold._message_verdict(name, 'review', null, null,
        leasehold._to_review(r, 'idle', v.error, spoken, r.idle_requeues, now_at));
    when 'requeue' then
      -- No attempt was made, so something else must count them: a record that fails before it is begun would go round for ever.
      r.idle_requeues := case when r.is_begun then r.idle_requeues else leasehold._one_more(r.idle_requeues) end;
      not_before := leasehold._after(now_at, leasehold._backoff_ms(
        r.attempt - r.attempts_forgiven + case when r.is_begun then 0 else r.idle_requeues end));
      r.error := v.error;
      perform leasehold._requeue(r, 'failed', v.error, spoken, not_before, r.send_before, now_at);
      message := leasehold._message_verdict(name, 'queued', null, not_before, null);
    when 'evidence_settles' then
      ref := case when v.verdict = 'done' then coalesce(r.evidence_ref, v.provider_ref) else r.evidence_ref end;
      perform leasehold._finish(r, 'done', ref, spoken, null, now_at);
      message := leasehold._message_verdict(name, 'done', ref, null, null);
      if v.verdict = 'done' and leasehold._differ(v.provider_ref, r.evidence_ref) then
        perform leasehold._remember_done(r, true, v, now_at);
        message := leasehold._tell_doubled(r, v, r.evidence_ref, false, now_at);
      end if;
  end case;
end $$;

-- What an owner says of a record that was settled without it is told, and kept, so that it is told once however often it is said.
create or replace function leasehold._is_news(r leasehold.records, v leasehold._verdict, now_at timestamptz) returns boolean
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
declare
  said text := leasehold._spoken(v) || coalesce(' ' || v.error, '');
begin
  if exists (select from leasehold.former_owners f
    where f.pool = r.pool and f.id = r.id and f.version = r.version and f.token = v.token and f.refused = said) then
    return false;
  end if;
  perform leasehold._remember_owner(r, r.verdict, now_at);
  update leasehold.former_owners f set refused = said
  where f.pool = r.pool and f.id = r.id and f.version = r.version and f.token = v.token;
  return true;
end $$;

-- One verdict, judged and carried out. Waits for the record.
create or replace function leasehold._verdict_one(settings leasehold.pools, place integer, v leasehold._verdict) returns leasehold.work_row
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
declare
  found_record record := leasehold._record_of(settings.pool, v.id, v.token);
  r leasehold.records := found_record.r;
  now_at timestamptz := leasehold._now();
  decision text := leasehold._decide_verdict(r, found_record.speaker, found_record.former_verdict, v, settings.attempts);
  came record;
  answer leasehold.work_row;
begin
  answer.is_begin := false;
  answer.ordinal := place;
  answer.id := v.id;
  answer.version := r.version;
  answer.outcome := 'accepted';
  if decision in ('not_owner', 'other_verdict', 'settled', 'unknown_record') then
    answer.outcome := 'refused';
    answer.reason := decision;
    answer.message := case decision
      when 'settled' then leasehold._message_verdict_late(leasehold._record_name(settings.pool, v.id, r.version), v.verdict,
        r.state, r.updated_at, v.error)
      else leasehold._message_verdict_refused(leasehold._record_name(settings.pool, v.id, r.version), decision, v.verdict,
        r.verdict) end;
    if decision <> 'settled' or leasehold._is_news(r, v, now_at) then
      perform leasehold._event('verdict.refused', case when decision in ('other_verdict', 'settled') then 'info' else 'warning' end, null, null,
        leasehold._holder_of(r, v.token), answer.message,
        jsonb_build_object('version', r.version, 'verdict', leasehold._spoken(v), 'reason', decision, 'error', v.error,
          'providerRef', v.provider_ref), now_at, settings.pool, v.id);
    end if;
  elsif decision = 'repeat' then
    perform case when v.verdict = 'done' then leasehold._fill_ref(r, v.provider_ref) end;
    answer.message := leasehold._message_verdict(leasehold._record_name(settings.pool, v.id, r.version), r.state,
      coalesce(r.provider_ref, v.provider_ref), r.not_before, case when r.state = 'review' then r.error end);
  elsif decision in ('evidence_done', 'evidence_waits', 'evidence_known', 'doubled') then
    answer.outcome := 'evidence';
    answer.message := leasehold._keep_evidence(r, decision, found_record.speaker, v,
      coalesce(found_record.former_verdict = 'done' and (v.provider_ref is null or v.provider_ref = found_record.former_ref), false),
      now_at);
  else
    came := leasehold._apply_verdict(r, decision, v, now_at);
    answer.message := came.message;
  end if;
  select k.state, case when answer.outcome = 'accepted' then k.not_before end into answer.state, answer.not_before
  from leasehold.records k where k.pool = settings.pool and k.id = v.id and k.version = r.version;
  return answer;
end $$;
