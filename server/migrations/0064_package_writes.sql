-- serves 0.2.0
-- What is derived from packages is written by the statement that writes them (server/src/packages/store.ts), which costs less than triggers
-- for each row. Servers with that statement say so on their connections; the triggers work for those of version 0.2.0 alone.

-- How many packages each owner has in each status: the same two tables as for the inventory. A count is always the sum over both.
create table owner_count_changes (
  owner_id uuid not null,
  status text not null,
  packages integer not null
);
create index owner_count_changes_owner on owner_count_changes (owner_id);
create table owner_counts (
  owner_id uuid not null,
  status text not null,
  packages bigint not null,
  primary key (owner_id, status)
);
-- They are emptied every 20 s: by default autovacuum would wait for a fifth of what they had at their fullest.
alter table owner_count_changes set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
alter table inventory_changes set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

create or replace function count_registered() returns trigger language plpgsql as $$
begin
  insert into inventory_changes (location, status, packages)
    select coalesce(btrim(location), ''), status, count(*) from registered group by 1, 2;
  insert into owner_count_changes (owner_id, status, packages)
    select owner_id, status, count(*) from registered group by 1, 2;
  return null;
end $$;
create or replace function count_moved() returns trigger language plpgsql as $$
begin
  insert into inventory_changes (location, status, packages) values
    (coalesce(btrim(old.location), ''), old.status, -1), (coalesce(btrim(new.location), ''), new.status, 1);
  if old.status <> new.status then
    insert into owner_count_changes (owner_id, status, packages) values (old.owner_id, old.status, -1), (new.owner_id, new.status, 1);
  end if;
  return null;
end $$;
create or replace function count_removed() returns trigger language plpgsql as $$
begin
  insert into inventory_changes (location, status, packages)
    select coalesce(btrim(location), ''), status, -count(*) from removed group by 1, 2;
  insert into owner_count_changes (owner_id, status, packages)
    select owner_id, status, -count(*) from removed group by 1, 2;
  return null;
end $$;

create or replace trigger count_registered after insert on packages referencing new table as registered for each statement
  when (current_setting('waybill.writes_packages', true) is distinct from 'on') execute function count_registered();
create or replace trigger count_moved after update of status, location on packages for each row
  when (current_setting('waybill.writes_packages', true) is distinct from 'on'
    and (old.status <> new.status or old.location is distinct from new.location)) execute function count_moved();
create or replace trigger count_removed after delete on packages referencing old table as removed for each statement
  when (current_setting('waybill.writes_packages', true) is distinct from 'on') execute function count_removed();
create or replace trigger keep_package_search
  after insert or delete or update of owner_id, name, tracking_id, recipient_name, recipient_contact, address, reference on packages
  for each row when (current_setting('waybill.writes_packages', true) is distinct from 'on') execute function keep_package_search();
create or replace trigger keep_registered_content before update of reference, name, description, category, weight_kg, dimensions_cm,
    recipient_name, recipient_contact, location, eta, address, window_from, window_to, handling, hide_recipient, instructions, show_sender,
    recipient_removed
  on packages for each row when (current_setting('waybill.writes_packages', true) is distinct from 'on')
  execute function keep_registered_content();
