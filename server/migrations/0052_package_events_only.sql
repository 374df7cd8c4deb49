-- serves 0.2.0
alter table package_events alter column package_id set not null;
alter table package_events drop constraint package_events_have_a_package;
alter table package_events drop constraint events_pkey;
alter table package_events add constraint package_events_pkey primary key using index package_events_key;
drop index events_package;

-- The same columns for servers of version 0.2.0; what only accounts had is no longer in the table.
create or replace view events as
select e.id, o.xid, e.type, e.at, e.actor_id, e.package_id, e.status, e.location, e.note, e.owner_id, e.driver_id, e.previous_driver_id,
  null::uuid as user_id, null::uuid as session_id, e.incident_number, e.changes, null::uuid as import_id, null::integer as message_number, e.shown
from package_events e left join outbox o on o.event_id = e.id
union all
select e.id, o.xid, e.type, e.at, e.actor_id, null, null, null, null, null, null, null,
  e.user_id, null, null, e.changes, null, e.message_number, null
from account_events e left join outbox o on o.event_id = e.id
union all
select -o.id, o.xid, o.type, o.at, null, null, null, null, null, null, null, null, o.user_id, o.session_id, null, null, o.import_id, null, null
from outbox o where o.event_id is null and o.package_id is null;
alter table package_events drop column user_id, drop column session_id, drop column import_id, drop column message_number;
