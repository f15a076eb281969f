-- The outbox: one row an event that alerts, written with it by leasehold._event. The id is random, because two
-- stores may send to one channel. taken_by is the deliverer's token, until taken_until. A deleted event takes its alert along.
create table leasehold.alerts (
  event_id bigint not null constraint alerts_pkey primary key
    constraint alerts_event references leasehold.events (seq) on delete cascade,
  alert_id text collate "C" not null default gen_random_uuid()::text constraint alerts_id_key unique,
  dedup_key text not null,
  state text not null default 'pending',
  attempts integer not null default 0,
  next_attempt_at timestamptz not null,
  taken_by text,
  taken_until timestamptz,
  delivered_to text[] not null default '{}',
  last_error text,
  settled_at timestamptz,
  constraint alerts_state_known check (state in ('pending', 'delivered', 'dead'))
);

create index alerts_due on leasehold.alerts (next_attempt_at, event_id) where state = 'pending';
create index alerts_dead on leasehold.alerts (event_id) where state = 'dead';

comment on table leasehold.alerts is
  'The outbox: one row an event that alerts. pending until every channel of a deliverer has confirmed it, or dead.';

create type leasehold.taken_alert as (
  alert_id text,
  event_id bigint,
  at timestamptz,
  kind text,
  severity text,
  lock text,
  run_id text,
  holder text,
  message text,
  data jsonb,
  dedup_key text,
  attempts integer,
  delivered_to text[]
);

create type leasehold.settle_answer as (outcome text, next_attempt_at timestamptz);

create type leasehold.alert_tally as (
  pending bigint,
  dead bigint,
  oldest_pending_at timestamptz,
  failing bigint,
  last_error text
);
