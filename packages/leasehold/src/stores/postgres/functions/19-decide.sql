-- leasehold.decide_record: a person's decision on a record in review, or one that failed.

-- The newest of the versions that could be meant, locked, and how many of them this can be done to.
create or replace function leasehold._record_to_decide(pool text, id text, version text, states text[], out r leasehold.records, out fitting integer)
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
begin
  perform leasehold._lock_versions(_record_to_decide.pool, array[_record_to_decide.id]);
  select count(*) into fitting from leasehold.records k
  where k.pool = _record_to_decide.pool and k.id = _record_to_decide.id and k.state = any(states)
    and (_record_to_decide.version is null or k.version = _record_to_decide.version);
  select k.* into r from leasehold.records k
  where k.pool = _record_to_decide.pool and k.id = _record_to_decide.id
    and (_record_to_decide.version is null or k.version = _record_to_decide.version)
  order by (k.state = any(states)) desc, k.no desc limit 1;
end $$;

-- Queued at once, its attempts forgiven, and in the order of versions: it waits while another one of its id is claimed or in
-- review, or an older one is queued; else the newer ones wait for it.
create or replace function leasehold._requeue_by_person(r leasehold.records, reason text, now_at timestamptz) returns void
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
begin
  r.attempts_forgiven := r.attempt;
  r.idle_requeues := 0;
  r.waits := exists (select from leasehold.records o where o.pool = r.pool and o.id = r.id and o.version <> r.version
    and (o.state in ('claimed', 'review') or o.state = 'queued' and o.no < r.no));
  perform leasehold._requeue(r, 'person', reason, null, null, null, now_at);
  if r.waits then
    update leasehold.records o set has_newer = true
    where o.pool = r.pool and o.id = r.id and o.version <> r.version and o.state in ('claimed', 'review', 'queued');
    perform leasehold._free_next(r.pool, r.id, now_at);
  else
    update leasehold.records n set waits = true
    where n.pool = r.pool and n.id = r.id and n.version <> r.version and n.state = 'queued';
    update leasehold.records k set has_newer = k.has_newer or found
    where k.pool = r.pool and k.id = r.id and k.version = r.version;
  end if;
end $$;

-- leasehold.decide_record
--   version       left out: the one version that this can be done to
--   action        ask (its provider, again) | done | requeue | fail
--   reason        1 to 4,096 bytes, for the event
--   provider_ref  with done
-- Answers accepted, or refused and why: no_such_record | several_versions | wrong_state | no_verifier. Errors: LH002.
create or replace function leasehold.decide_record(
  pool text, id text, action text, reason text, version text default null, provider_ref text default null
) returns leasehold.review_answer
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
set enable_seqscan = off set lock_timeout = '5s' as $$
declare
  came record;
  r leasehold.records;
  claim leasehold.claims;
  now_at timestamptz;
  answer leasehold.review_answer;
begin
  perform leasehold._check_text(pool, 'pool name', 255);
  perform leasehold._check_text(id, 'record id', 1024);
  perform leasehold._check_text(reason, 'reason', 4096);
  perform case when provider_ref is not null then leasehold._check_text(provider_ref, 'provider reference', 4096) end;
  if action is null or action not in ('ask', 'done', 'requeue', 'fail') then
    perform leasehold._refuse(format('action is "%s"; it must be ask, done, requeue or fail', action));
  end if;
  came := leasehold._record_to_decide(pool, id, version,
    case when action in ('ask', 'fail') then array['review'] else array['review', 'failed'] end);
  r := came.r;
  now_at := leasehold._now();
  answer.pool := pool;
  answer.id := id;
  answer.why := case
    when r.id is null then 'no_such_record'
    when came.fitting > 1 then 'several_versions'
    when came.fitting = 0 then 'wrong_state'
    when action = 'ask' and not exists (select from leasehold.pools p where p.pool = r.pool and p.verifier is not null)
      then 'no_verifier' end;
  answer.outcome := case when answer.why is null then 'accepted' else 'refused' end;
  answer.version := case when answer.why = 'several_versions' then decide_record.version else coalesce(r.version, decide_record.version) end;
  if answer.why is not null then
    answer.state := case when answer.why <> 'several_versions' then r.state end;
    answer.message := leasehold._message_undecided(leasehold._record_name(pool, id, answer.version), answer.why, answer.state);
    return answer;
  end if;
  claim := leasehold._claim_of(r.token);
  answer.message := leasehold._message_decided(leasehold._record_name(r.pool, r.id, r.version), action);
  if action = 'requeue' then
    perform leasehold._requeue_by_person(r, reason, now_at);
  else
    perform leasehold._record_event('record.review', 'info', r, claim.holder, leasehold._with_reason(answer.message, reason),
      jsonb_build_object('action', action, 'reason', reason), now_at);
    if action = 'ask' then
      update leasehold.records a set ask_since = now_at, asked_at = null where a.pool = r.pool and a.id = r.id and a.version = r.version;
    else
      perform leasehold._remember_owner(r, r.verdict, now_at);
      if action = 'done' and leasehold._differ(decide_record.provider_ref, r.evidence_ref) then
        perform leasehold._tell_doubled(r, row(r.id, r.token, 'done', r.evidence_ref, null, false)::leasehold._verdict,
          decide_record.provider_ref, false, now_at);
      end if;
      r.token := null;
      perform leasehold._finish(r, case action when 'done' then 'done' else 'failed' end,
        case when action = 'done' then coalesce(decide_record.provider_ref, r.evidence_ref) end, null,
        case when action = 'fail' then reason end, now_at);
    end if;
  end if;
  answer.state := (select k.state from leasehold.records k where k.pool = r.pool and k.id = r.id and k.version = r.version);
  return answer;
end $$;
