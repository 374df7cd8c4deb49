-- serves 0.2.0
-- What every process has to hear of soon after its commit: facts, and signals that are no facts. Rows go after ten minutes, or once all
-- processes have read them (server/src/events/outbox.ts).
create table outbox (
  id bigint generated always as identity primary key,
  -- Which transaction wrote it: ids are assigned before the commit, so that a reader going by these would lose some.
  xid xid8 not null default pg_current_xact_id(),
  at timestamptz not null default now(),
  type text not null,
  package_id uuid,
  owner_id uuid,
  driver_id uuid,
  previous_driver_id uuid,
  incident_number integer,
  user_id uuid,
  session_id uuid,
  import_id uuid
);
create index outbox_xid on outbox (xid);

-- What each process that reads has seen, and when it was last heard of.
create table outbox_readers (
  id uuid primary key,
  seen pg_snapshot not null,
  heard_at timestamptz not null default now()
);

-- Servers of before write to events alone. Those that write to the outbox themselves say so on their connections. To be dropped once
-- version 0.2.0 is served no longer, with events.xid and its index, by which those read.
create function tell_of_older_writers() returns trigger language plpgsql as $$
begin
  insert into outbox (type, package_id, owner_id, driver_id, previous_driver_id, incident_number, user_id, session_id, import_id)
  select type, package_id, owner_id, driver_id, previous_driver_id, incident_number, user_id, session_id, import_id
  from added order by id;
  return null;
end $$;
create trigger tell_of_older_writers after insert on events referencing new table as added for each statement
  when (current_setting('waybill.writes_outbox', true) is distinct from 'on')
  execute function tell_of_older_writers();
