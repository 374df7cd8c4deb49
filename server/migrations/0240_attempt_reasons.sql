-- serves 0.2.0
-- Why an attempt failed, so that lists and attempts are read without the events, which repeat it as their note.
alter table delivery_attempts add column reason text;

-- Servers of version 0.2.0 record an attempt, and then its event with the reason.
create or replace function add_event_of_older_server() returns trigger language plpgsql as $$
declare
  is_signal boolean := new.type in
    ('session.started', 'session.ended', 'notification.created', 'notification.read', 'import.progressed');
begin
  new.id := coalesce(new.id, nextval('event_ids'));
  if current_setting('waybill.writes_outbox', true) is distinct from 'on' then
    insert into outbox (event_id, xid, type, package_id, owner_id, driver_id, previous_driver_id, incident_number, user_id, session_id, import_id)
    values (case when not is_signal then new.id end, coalesce(new.xid, pg_current_xact_id()), new.type, new.package_id, new.owner_id,
      new.driver_id, new.previous_driver_id, new.incident_number, new.user_id, new.session_id, new.import_id);
  end if;
  if new.package_id is not null then
    insert into package_events (id, type, at, actor_id, package_id, status, location, note, owner_id, driver_id, previous_driver_id,
      incident_number, changes, shown)
    values (new.id, new.type, new.at, new.actor_id, new.package_id, new.status, new.location, new.note, new.owner_id, new.driver_id,
      new.previous_driver_id, new.incident_number, new.changes, new.shown);
    if new.type = 'delivery.failed' then
      update delivery_attempts set reason = new.note
      where package_id = new.package_id and number = (
        select max(number) from delivery_attempts where package_id = new.package_id and outcome = 'failed');
    end if;
  elsif not is_signal then
    insert into account_events (id, type, at, actor_id, user_id, changes, message_number)
    values (new.id, new.type, new.at, new.actor_id, new.user_id, new.changes, new.message_number);
  end if;
  return new;
end $$;

-- They redact deleted users in the notes of events.
create or replace function change_event_of_older_server() returns trigger language plpgsql as $$
begin
  if new.xid is distinct from old.xid then
    update outbox set xid = coalesce(new.xid, '0') where event_id = old.id or id = -old.id;
  end if;
  update package_events set location = new.location, note = new.note, changes = new.changes
  where package_id = old.package_id and id = old.id and (location, note, changes) is distinct from (new.location, new.note, new.changes);
  if old.type = 'delivery.failed' and new.note is distinct from old.note then
    update delivery_attempts set reason = new.note
    where package_id = old.package_id and outcome = 'failed' and reason = old.note;
  end if;
  update public_views set stale = true where tracking_id = (select tracking_id from packages where id = old.package_id);
  return new;
end $$;

-- Up to which attempt reasons have been added.
create table attempt_reasons_added (up_to bigint not null);
insert into attempt_reasons_added values (0);
