-- serves 0.2.0
-- What is sent to an address: a row for each event, person and channel. Its id is derived from these three and the time of the event, so
-- that the key allows one however often the event is handled. Deliveries in the app stay in notification_deliveries.
create table messages (
  id uuid not null,
  -- The time of the event.
  at timestamptz not null,
  channel text not null,
  event_id bigint not null,
  type text not null,
  -- Null: it cannot be turned off.
  kind text,
  audience text not null,
  -- Of the text, which is rendered when it is sent.
  parameters jsonb not null,
  package_id uuid,
  tracking_id text,
  incident_number integer,
  user_id uuid,
  address text,
  language text not null,
  state text not null check (state in ('queued', 'held', 'sent', 'delivered', 'failed', 'suppressed')),
  -- Why it is suppressed.
  reason text,
  attempts integer not null default 0,
  error text,
  -- The time of the next attempt; null if there is none.
  due_at timestamptz,
  -- Whose attempt is under way, and until when nobody else makes one.
  lease uuid,
  leased_until timestamptz,
  -- Later it is not true any more.
  ends_at timestamptz not null,
  -- What was sent: { subject, paragraphs }.
  content jsonb,
  updated_at timestamptz not null default now(),
  primary key (id, at)
) partition by range (at);
create table messages_default partition of messages default;
create index messages_due on messages (channel, due_at) where due_at is not null;
create index messages_user on messages (user_id, id desc);
create index messages_type on messages (type, id desc);
create index messages_at on messages (at);
create index messages_package on messages (package_id, at);
-- Few at any time.
create index messages_failed on messages (id) where state = 'failed';

-- The language in which messages to the user are written, and { from, to, timeZone }.
alter table users add column language text, add column quiet_hours jsonb;
