create extension if not exists btree_gist;

-- When a driver is on duty.
create table shifts (
  id uuid primary key,
  driver_id uuid not null references users,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  note text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version integer not null default 1,
  check (ends_at > starts_at and ends_at <= starts_at + interval '16 hours'),
  -- Nobody is in two shifts at once, whoever writes them at the same moment. One may begin when another ends.
  constraint shifts_do_not_overlap exclude using gist (driver_id with =, tstzrange(starts_at, ends_at) with &&)
);
create index shifts_period on shifts (starts_at, id);
create index shifts_driver on shifts (driver_id, starts_at, id);

-- Whose wait began anew, and when; the wait of every other waiting package began with its registration.
alter table packages add column failed_at timestamptz;
update packages p set failed_at = failed.at
from (select package_id, max(at) as at from events where type = 'delivery.failed' group by package_id) failed
where failed.package_id = p.id and p.status = 'processing';
create index packages_waiting on packages ((coalesce(failed_at, created_at)), id) where status = 'processing';
-- The packages behind a count. A place is a location without regard to case; '' stands for none.
create index packages_place on packages ((lower(coalesce(btrim(location), ''))), status, id desc);

-- How many packages are where, as what. Each change appends what it adds, so that no two of them have to share a row;
-- a few seconds later that is moved into `inventory`. A count is always the sum over both.
create table inventory_changes (
  -- As it is written, without blanks around it; '' for none.
  location text not null,
  status text not null,
  packages integer not null
);
create table inventory (
  location text not null,
  status text not null,
  packages bigint not null,
  primary key (location, status)
);

-- By the database: whatever writes packages, an import or a repair as well, keeps the counts true.
create function count_registered() returns trigger language plpgsql as $$
begin
  insert into inventory_changes
    select coalesce(btrim(location), ''), status, count(*) from registered group by 1, 2;
  return null;
end $$;
create trigger count_registered after insert on packages referencing new table as registered
  for each statement execute function count_registered();

create function count_moved() returns trigger language plpgsql as $$
begin
  insert into inventory_changes values
    (coalesce(btrim(old.location), ''), old.status, -1), (coalesce(btrim(new.location), ''), new.status, 1);
  return null;
end $$;
create trigger count_moved after update of status, location on packages for each row
  when (old.status <> new.status or old.location is distinct from new.location) execute function count_moved();

create function count_removed() returns trigger language plpgsql as $$
begin
  insert into inventory_changes
    select coalesce(btrim(location), ''), status, -count(*) from removed group by 1, 2;
  return null;
end $$;
create trigger count_removed after delete on packages referencing old table as removed
  for each statement execute function count_removed();

-- Makes the counts anew from the packages. Whoever is appending meanwhile is waited for, or waits: nothing is counted twice or lost.
create function recount_inventory() returns void language plpgsql as $$
begin
  lock table inventory_changes in share row exclusive mode;
  delete from inventory_changes;
  delete from inventory;
  insert into inventory select coalesce(btrim(location), ''), status, count(*) from packages group by 1, 2;
end $$;

select recount_inventory();
