-- serves 0.2.0
-- Which transactions have changed a route or its packages: whoever has read the route knows by it that something is another now. Without a foreign key:
-- whoever edits a package waits for no route. Rows go after five minutes; what was read is used for a second.
create table route_changes (
  xid xid8 not null default pg_current_xact_id(),
  route_id uuid not null,
  at timestamptz not null default clock_timestamp(),
  primary key (xid, route_id)
);
-- Truncating the file would lock readers out, on a standby too.
alter table route_changes set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, vacuum_truncate = off);

-- For servers of version 0.2.0, as before, and with the routes.
create or replace function count_waiting() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    if old.status = 'processing' and old.route_id is null and old.next_step is distinct from 'collect' then
      insert into waiting_changes (postal_code, city, packages, kilograms, window_from, eta, owner_id, whole_kilograms, has_failed)
      values (coalesce(old.address_postal_code, ''), coalesce(old.address_city, ''), -1, -old.weight,
        coalesce(old.window_from, '-infinity'), coalesce(old.eta, '-infinity'), old.owner_id, floor(old.weight), old.failed_at is not null);
    end if;
    insert into route_changes (route_id) select old.route_id where old.route_id is not null on conflict do nothing;
  end if;
  if tg_op <> 'DELETE' then
    if new.status = 'processing' and new.route_id is null and new.next_step is distinct from 'collect' then
      insert into waiting_changes (postal_code, city, packages, kilograms, window_from, eta, owner_id, whole_kilograms, has_failed)
      values (coalesce(new.address_postal_code, ''), coalesce(new.address_city, ''), 1, new.weight,
        coalesce(new.window_from, '-infinity'), coalesce(new.eta, '-infinity'), new.owner_id, floor(new.weight), new.failed_at is not null);
    end if;
    insert into route_changes (route_id) select new.route_id where new.route_id is not null on conflict do nothing;
  end if;
  return null;
end $$;
-- The servers of that version may have gone, and the trigger with them.
do $$ begin
  if not exists (select from pg_trigger where tgname = 'count_waiting') then
    drop function count_waiting();
  end if;
end $$;

-- The driver's name is shown at each stop, while the account is active.
create function log_route_of_driver() returns trigger language plpgsql as $$
begin
  insert into route_changes (route_id) select id from routes where driver_id = new.id and state = 'started' on conflict do nothing;
  return null;
end $$;
create trigger log_route_of_driver after update of name, role, status, deleted_at on users for each row
  when ((old.name, old.role, old.status, old.deleted_at) is distinct from (new.name, new.role, new.status, new.deleted_at))
  execute function log_route_of_driver();
