-- What a caller may send. SQLSTATE LH002: an argument outside its limits; LH003: called inside a
-- transaction that could take the lease away again.

create function leasehold._now() returns timestamptz
language sql volatile security invoker
return date_trunc('milliseconds', clock_timestamp());

create function leasehold._refuse(message text) returns void
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
begin
  raise exception using errcode = 'LH002', message = _refuse.message;
end $$;

-- Control characters: C0, DEL and C1. A text value can hold no NUL in PostgreSQL anyway.
create function leasehold._check_text(value text, label text, bytes_max integer) returns text
language plpgsql immutable security invoker set search_path = pg_catalog, pg_temp as $$
begin
  if value is null or value = '' then
    raise exception using errcode = 'LH002',
      message = format('%s is empty; give it 1 to %s bytes', label, bytes_max);
  end if;
  if octet_length(convert_to(value, 'UTF8')) > bytes_max then
    raise exception using errcode = 'LH002',
      message = format('%s is %s bytes long; the limit is %s', label, octet_length(convert_to(value, 'UTF8')), bytes_max);
  end if;
  if value ~ E'[\\u0001-\\u001f\\u007f-\\u009f]' then
    raise exception using errcode = 'LH002',
      message = format('%s has control characters (a newline, a tab); remove them', label);
  end if;
  return value;
end $$;

-- An interval in milliseconds. Months and years have no fixed length and are refused; a day is 24 hours.
create function leasehold._interval_ms(value interval, label text, ms_min bigint, ms_max bigint) returns bigint
language plpgsql immutable security invoker set search_path = pg_catalog, pg_temp as $$
declare
  ms numeric;
begin
  if value is null then
    raise exception using errcode = 'LH002', message = format('%s is missing', label);
  end if;
  if extract(year from value) <> 0 or extract(month from value) <> 0 then
    raise exception using errcode = 'LH002',
      message = format('%s "%s" has months or years, which have no fixed length; write days or hours', label, value);
  end if;
  ms := round(extract(epoch from value) * 1000);
  if not (ms between ms_min and ms_max) then
    raise exception using errcode = 'LH002',
      message = format('%s is "%s"; it must lie between %s and %s', label, value,
        leasehold._duration(ms_min), leasehold._duration(ms_max));
  end if;
  return ms;
end $$;

-- A rollback would take an acquired lease away while its holder believes in it. pg_current_xact_id_if_assigned()
-- is set once this transaction has written; a transaction older than 1 s is one that a caller keeps open.
-- What this misses (docs/sql-api.md): a young transaction that has only read so far.
create function leasehold._refuse_in_transaction(function_name text) returns void
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
begin
  if pg_current_xact_id_if_assigned() is not null then
    raise exception using errcode = 'LH003',
      message = format('leasehold.%s was called inside a transaction that has already written', function_name),
      hint = 'Call it on its own, outside begin ... commit: a rollback would take the lease away.';
  end if;
  if clock_timestamp() - transaction_timestamp() > interval '1 second' then
    raise exception using errcode = 'LH003',
      message = format('leasehold.%s was called inside a transaction that is over 1 s old', function_name),
      hint = 'Call it on its own, outside begin ... commit: nobody sees the lease before the commit.';
  end if;
end $$;
