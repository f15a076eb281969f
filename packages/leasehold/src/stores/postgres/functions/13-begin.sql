-- One begin: domain/records/decide-begin.ts. The ordinary ones of many are set-based in 14-work.sql.

-- Waits for the record; what remains of its lease is reckoned once the wait is over.
create or replace function leasehold._begin_one(settings leasehold.pools, place integer, id text, token text) returns leasehold.work_row
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
declare
  found_record record := leasehold._record_of(settings.pool, id, token);
  r leasehold.records := found_record.r;
  now_at timestamptz := leasehold._now();
  claim leasehold.claims := leasehold._claim_of(r.token);
  name text := leasehold._record_name(settings.pool, _begin_one.id, r.version);
  answer leasehold.work_row;
begin
  answer.is_begin := true;
  answer.ordinal := place;
  answer.id := _begin_one.id;
  answer.version := r.version;
  -- A lease that ends too far away by a clock that was ahead is never longer than its length.
  answer.remaining_ms := case when found_record.speaker = 'owner'
    then least(leasehold._remaining_ms(claim.lease_until, now_at), claim.lease_ms) end;
  answer.reason := case
    when r.id is null then 'unknown_record'
    when found_record.speaker <> 'owner' then 'not_owner'
    when r.state <> 'claimed' or r.unknown_at is not null then 'not_claimed'
    when coalesce(answer.remaining_ms, 0) <= 0 or answer.remaining_ms < settings.call_timeout_ms then 'lease_over'
    when r.send_before < now_at then 'send_before' end;
  if answer.reason is null then
    if not r.is_begun then
      update leasehold.records b set attempt = leasehold._one_more(b.attempt), is_begun = true, begun_at = now_at,
        first_begun_at = coalesce(b.first_begun_at, now_at), updated_at = now_at
      where b.pool = r.pool and b.id = r.id and b.version = r.version returning b.* into r;
    end if;
    answer.outcome := 'accepted';
    -- Whichever ends first: the lease, or the time by which it must be sent.
    if r.send_before < now_at + answer.remaining_ms * interval '1 millisecond' then
      answer.remaining_ms := leasehold._remaining_ms(r.send_before, now_at);
    end if;
    answer.attempt := r.attempt;
    answer.begun_at := r.begun_at;
    answer.message := leasehold._message_begun(name, r.attempt);
    return answer;
  end if;
  if answer.reason = 'send_before' then
    update leasehold.records f set unknown_at = now_at, asked_at = null, ask_since = null, updated_at = now_at
    where f.pool = r.pool and f.id = r.id and f.version = r.version;
  end if;
  answer.outcome := 'refused';
  answer.message := leasehold._message_begin_refused(name, answer.reason, coalesce(answer.remaining_ms, 0),
    settings.call_timeout_ms);
  perform leasehold._event('verdict.refused',
    case when answer.reason in ('not_owner', 'unknown_record') then 'warning' else 'info' end, null, null,
    leasehold._holder_of(r, _begin_one.token), answer.message,
    jsonb_build_object('version', r.version, 'verdict', 'begin', 'reason', answer.reason), now_at, settings.pool, _begin_one.id);
  answer.attempt := r.attempt;
  answer.begun_at := r.begun_at;
  return answer;
end $$;
