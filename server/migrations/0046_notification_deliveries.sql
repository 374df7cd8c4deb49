-- serves 0.2.0
-- What was delivered to whom by which channel, is to be, or could not be: a row for each. Screens read these instead of the queue.
create table notification_deliveries (
  -- Of the job that delivers it. Where a job reaches several people, the others' rows have the id of their notification.
  id uuid primary key,
  channel text not null,
  -- The job by its name, to repeat it. Null: delivered before this table was there, or by an older server.
  job text,
  -- What it tells of, as lists show and search it.
  event_id bigint not null,
  type text not null,
  at timestamptz not null,
  package_id uuid,
  incident_number integer,
  -- Null: everybody who administers. Who that is turns out when it is delivered. No reference: deleting an account takes its rows.
  user_id uuid,
  notification_id uuid references notifications on delete cascade,
  state text not null check (state in ('queued', 'delivered', 'failed')),
  attempts integer not null default 0,
  error text,
  updated_at timestamptz not null default now(),
  unique (notification_id, channel)
);
create index notification_deliveries_user on notification_deliveries (user_id, id desc);
create index notification_deliveries_type on notification_deliveries (type, id desc);
create index notification_deliveries_at on notification_deliveries (at);
-- Few at any time.
create index notification_deliveries_open on notification_deliveries (id) where state <> 'delivered';
create index notification_deliveries_open_event on notification_deliveries (event_id) where state <> 'delivered';

-- Servers of before know notifications alone. Those that write deliveries themselves also write to the outbox, and say that on their
-- connections. To be dropped once version 0.2.0 is served no longer.
create function deliver_for_older_writers() returns trigger language plpgsql as $$
begin
  delete from notification_deliveries open using added
    where open.event_id = added.event_id and open.state <> 'delivered' and coalesce(open.user_id, added.user_id) = added.user_id;
  insert into notification_deliveries (id, channel, event_id, type, at, package_id, incident_number, user_id, notification_id, state, attempts)
    select id, 'in-app', event_id, type, created_at, package_id, incident_number, user_id, id, 'delivered', attempts from added;
  return null;
end $$;
create trigger deliver_for_older_writers after insert on notifications referencing new table as added for each statement
  when (current_setting('waybill.writes_outbox', true) is distinct from 'on')
  execute function deliver_for_older_writers();
