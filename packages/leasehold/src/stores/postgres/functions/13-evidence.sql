-- What is done with a done that isn't its record's owner's, or that contradicts what was said before.

-- A reference that was missing so far is kept.
create or replace function leasehold._fill_ref(r leasehold.records, provider_ref text) returns void
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
begin
  update leasehold.records f set provider_ref = _fill_ref.provider_ref
  where f.pool = r.pool and f.id = r.id and f.version = r.version and f.state = 'done' and f.provider_ref is null
    and _fill_ref.provider_ref is not null;
end $$;

-- The holder of a token, also of one that the record no longer carries.
create or replace function leasehold._holder_of(r leasehold.records, token text) returns text
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
begin
  return coalesce((select c.holder from leasehold.claims c where c.token = _holder_of.token),
    (select f.holder from leasehold.former_owners f
     where f.pool = r.pool and f.id = r.id and f.version = r.version and f.token = _holder_of.token));
end $$;

-- Told once, however often it is said.
create or replace function leasehold._tell_doubled(
  r leasehold.records, v leasehold._verdict, kept text, was_said boolean, now_at timestamptz
) returns text
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
declare
  said text := leasehold._message_doubled(leasehold._record_name(r.pool, r.id, r.version), kept, v.provider_ref);
begin
  if not was_said then
    perform leasehold._record_event('effect.doubled', 'critical', r, leasehold._holder_of(r, v.token), said,
      jsonb_build_object('providerRef', kept, 'otherRef', v.provider_ref), now_at);
  end if;
  return said;
end $$;

-- Keeps a done that its record does not, so that it is told once; owns: said by its owner, beside its own verdict.
create or replace function leasehold._remember_done(
  r leasehold.records, owns boolean, v leasehold._verdict, now_at timestamptz
) returns void
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
begin
  if owns then
    perform leasehold._remember_owner(r, 'done', now_at);
  end if;
  update leasehold.former_owners f set verdict = 'done', provider_ref = coalesce(v.provider_ref, f.provider_ref)
  where f.pool = r.pool and f.id = r.id and f.version = r.version and f.token = v.token;
end $$;

-- done from one whose word no longer decides. was_said: by this token before, so that it is told already, unless it changes
-- something now. Answers the message.
create or replace function leasehold._keep_evidence(
  r leasehold.records, decision text, speaker text, v leasehold._verdict, was_said boolean, now_at timestamptz
) returns text
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
declare
  said text := leasehold._message_evidence(leasehold._record_name(r.pool, r.id, r.version),
    case when decision = 'evidence_waits' then 'review' else 'done' end);
  kept text := case decision when 'doubled' then r.provider_ref when 'evidence_known' then null else r.evidence_ref end;
  is_doubled boolean := leasehold._differ(v.provider_ref, kept);
begin
  if speaker = 'former' or is_doubled then
    perform leasehold._remember_done(r, speaker = 'owner', v, now_at);
  end if;
  if decision = 'doubled' then
    null;
  elsif decision = 'evidence_known' then
    perform leasehold._fill_ref(r, v.provider_ref);
  elsif decision = 'evidence_waits' then
    r.evidence_ref := coalesce(r.evidence_ref, v.provider_ref);
    if r.evidence_at is null then
      r.evidence_at := now_at;
      was_said := false;
      perform leasehold._to_review(r, 'evidence', null, null, null, now_at);
    else
      update leasehold.records e set evidence_ref = r.evidence_ref where e.pool = r.pool and e.id = r.id and e.version = r.version;
    end if;
  elsif speaker = 'owner' then
    was_said := false;
    perform leasehold._finish(r, 'done', coalesce(r.evidence_ref, v.provider_ref), 'done', null, now_at);
  else
    was_said := false;
    -- Whoever has it now has lost it.
    perform leasehold._remember_owner(r, r.verdict, now_at);
    r.token := null;
    perform leasehold._finish(r, 'done', coalesce(r.evidence_ref, v.provider_ref), null, null, now_at);
  end if;
  if is_doubled then
    return leasehold._tell_doubled(r, v, kept, was_said, now_at);
  end if;
  if not was_said then
    perform leasehold._record_event('verdict.evidence', 'warning', r, leasehold._holder_of(r, v.token), said,
      jsonb_build_object('state', case when decision = 'evidence_waits' then 'review' else 'done' end,
        'providerRef', v.provider_ref), now_at);
  end if;
  return said;
end $$;
