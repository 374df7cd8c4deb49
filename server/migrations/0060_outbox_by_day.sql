-- serves 0.2.0
-- Partitions are created ahead and dropped whole by the program (server/src/platform/database/partitions.ts). No request for a lock makes
-- others wait longer than 0.3 s; the program tries again.
create function create_partition(parent text, partition text, lower_bound text, upper_bound text) returns void language plpgsql as $$
begin
  if to_regclass(quote_ident(partition)) is not null then return; end if;
  perform set_config('lock_timeout', '300ms', true);
  -- Attached, since `create table … partition of` locks the whole table against reads.
  execute format('create table %I (like %I including all)', partition, parent);
  execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, partition, lower_bound, upper_bound);
exception
  -- The default partition has rows of this time (23514), another partition includes it (42P17), or another process was faster.
  when check_violation or invalid_object_definition or duplicate_table or duplicate_object or unique_violation then return;
end $$;

create function drop_partition(partition text) returns void language plpgsql as $$
begin
  execute format('drop table if exists %I', partition);
end $$;

-- The outbox by days. Its rows are of the last ten minutes, so they are copied.
alter table outbox rename to outbox_before;
alter index outbox_xid rename to outbox_before_xid;
alter index outbox_pkey rename to outbox_before_pkey;
create sequence outbox_ids;
select setval('outbox_ids', last_value, is_called) from outbox_id_seq;
create table outbox (
  id bigint not null default nextval('outbox_ids'),
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
  import_id uuid,
  -- Which event a row tells of; null for a signal. Servers of version 0.2.0 go by it.
  event_id bigint,
  primary key (id, at)
) partition by range (at);
create index outbox_xid on outbox (xid);
create index outbox_event on outbox (event_id);
create table outbox_default partition of outbox default;
insert into outbox (id, xid, at, type, package_id, owner_id, driver_id, previous_driver_id, incident_number, user_id, session_id, import_id, event_id)
select id, xid, at, type, package_id, owner_id, driver_id, previous_driver_id, incident_number, user_id, session_id, import_id, event_id
from outbox_before;

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
drop table outbox_before;
