-- What visitors write to the administrators by the contact form.
create table contact_messages (
  number integer generated always as identity primary key,
  name text not null,
  email text not null,
  message text not null,
  -- As it was typed.
  tracking_id text,
  -- Of all that was typed: a form that is sent twice is one message, for as long as nobody has resolved it.
  digest bytea not null,
  status text not null default 'Open' check (status in ('Open', 'Resolved')),
  created_at timestamptz not null,
  resolved_at timestamptz,
  resolved_by uuid references users on delete set null,
  check ((status = 'Resolved') = (resolved_at is not null))
);
create unique index contact_messages_open on contact_messages (digest) where status = 'Open';
create index contact_messages_resolved on contact_messages (resolved_at) where resolved_at is not null;

-- No reference: an event is never changed, and outlives the message.
alter table events add column message_number integer;

-- How many times it was tried until it was there.
alter table notifications add column attempts integer not null default 1;

-- What somebody has chosen, by channel and kind. What has no row is on.
create table notification_preferences (
  user_id uuid not null references users on delete cascade,
  channel text not null,
  kind text not null,
  enabled boolean not null,
  primary key (user_id, channel, kind)
);
