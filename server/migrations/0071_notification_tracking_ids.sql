-- serves 0.2.0
-- Lists show it without reading packages. It never changes.
alter table notifications add column tracking_id text;
alter table notification_deliveries add column tracking_id text;

-- Servers of 0.2.0 do not write it.
create function add_tracking_id() returns trigger language plpgsql as $$
begin
  new.tracking_id := (select tracking_id from packages where id = new.package_id);
  return new;
end $$;
create trigger add_tracking_id before insert on notifications for each row
  when (new.package_id is not null and current_setting('waybill.writes_outbox', true) is distinct from 'on')
  execute function add_tracking_id();
create trigger add_tracking_id before insert on notification_deliveries for each row
  when (new.package_id is not null and current_setting('waybill.writes_outbox', true) is distinct from 'on')
  execute function add_tracking_id();

-- Up to which row those from before have it.
create table tracking_ids_added (
  notifications uuid not null default '00000000-0000-0000-0000-000000000000',
  deliveries uuid not null default '00000000-0000-0000-0000-000000000000'
);
insert into tracking_ids_added default values;
