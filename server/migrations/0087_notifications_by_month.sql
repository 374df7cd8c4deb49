-- serves 0.3.0
-- post-deployment
-- A notification has the time of its event, so that the key still allows one for each user and event.
lock table notifications, notification_deliveries in access exclusive mode;
drop trigger deliver_for_older_writers on notifications;
drop function deliver_for_older_writers();

alter table notifications rename to notifications_before;
alter table notifications_before drop constraint notifications_pkey;
alter table notifications_before add constraint notifications_before_pkey primary key using index notifications_by_month;
-- Only the lists of servers of version 0.2.0 used these.
drop index notifications_type;
drop index notifications_created;
alter index notifications_user rename to notifications_before_user;
alter index notifications_unread rename to notifications_before_unread;
alter index notifications_read rename to notifications_before_read;
-- Kept by the rows from before: those of 0.2.0 may have another time than their event.
alter table notifications_before rename constraint notifications_user_id_event_id_key to notifications_before_once;
create table notifications (
  like notifications_before including defaults,
  primary key (user_id, event_id, created_at)
) partition by range (created_at);
create index notifications_user on notifications (user_id, id desc);
create index notifications_unread on notifications (user_id) where read_at is null;
create index notifications_read on notifications (read_at) where read_at is not null;

alter table notification_deliveries rename to notification_deliveries_before;
alter table notification_deliveries_before drop constraint notification_deliveries_pkey;
alter table notification_deliveries_before
  add constraint notification_deliveries_before_pkey primary key using index notification_deliveries_by_month;
alter table notification_deliveries_before drop constraint notification_deliveries_notification_id_channel_key;
alter index notification_deliveries_user rename to notification_deliveries_before_user;
alter index notification_deliveries_type rename to notification_deliveries_before_type;
alter index notification_deliveries_at rename to notification_deliveries_before_at;
alter index notification_deliveries_open rename to notification_deliveries_before_open;
alter index notification_deliveries_open_event rename to notification_deliveries_before_open_event;
create table notification_deliveries (
  like notification_deliveries_before including defaults,
  constraint notification_deliveries_state_check check (state in ('queued', 'delivered', 'failed')),
  primary key (id, at)
) partition by range (at);
create unique index notification_deliveries_once on notification_deliveries (notification_id, channel, at);
create index notification_deliveries_user on notification_deliveries (user_id, id desc);
create index notification_deliveries_type on notification_deliveries (type, id desc);
create index notification_deliveries_at on notification_deliveries (at);
-- Few at any time.
create index notification_deliveries_open on notification_deliveries (id) where state <> 'delivered';
create index notification_deliveries_open_event on notification_deliveries (event_id) where state <> 'delivered';

do $$
declare
  has_rows boolean := exists (select from notifications_before) or exists (select from notification_deliveries_before);
  parent text;
begin
  foreach parent in array array['notifications', 'notification_deliveries'] loop
    if has_rows then
      execute format('alter table %I attach partition %I for values from (minvalue) to (%L)', parent, parent || '_before',
        (select substring(pg_get_constraintdef(oid) from $re$'([^']+)'$re$)::timestamptz from pg_constraint where conname = parent || '_bound'));
      execute format('alter table %I drop constraint %I', parent || '_before', parent || '_bound');
    else
      execute format('drop table %I', parent || '_before');
    end if;
  end loop;
end $$;
create table notifications_default partition of notifications default;
create table notification_deliveries_default partition of notification_deliveries default;
