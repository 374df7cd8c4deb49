-- serves 0.2.0
-- How many packages wait to be planned that are on no route, by postal code and town ('' for none), and their weight: two tables as for the
-- inventory, so a sum is always that over both.
create table waiting_changes (
  postal_code text not null,
  city text not null,
  packages integer not null,
  kilograms numeric not null
);
create table waiting_counts (
  postal_code text not null,
  city text not null,
  packages bigint not null,
  kilograms numeric not null,
  primary key (postal_code, city)
);
-- Emptied every 20 s.
alter table waiting_changes set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- Servers with the statements of server/src/packages/store.ts count by themselves.
create function count_waiting() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    if old.status = 'processing' and old.route_id is null and old.next_step is distinct from 'collect' then
      insert into waiting_changes values (coalesce(old.address_postal_code, ''), coalesce(old.address_city, ''), -1, -old.weight);
    end if;
  end if;
  if tg_op <> 'DELETE' then
    if new.status = 'processing' and new.route_id is null and new.next_step is distinct from 'collect' then
      insert into waiting_changes values (coalesce(new.address_postal_code, ''), coalesce(new.address_city, ''), 1, new.weight);
    end if;
  end if;
  return null;
end $$;
create trigger count_waiting after insert or update or delete on packages for each row
  when (current_setting('waybill.writes_packages', true) is distinct from 'on') execute function count_waiting();

insert into waiting_counts (postal_code, city, packages, kilograms)
select coalesce(address_postal_code, ''), coalesce(address_city, ''), count(*), sum(weight) from packages
where status = 'processing' and route_id is null and next_step is distinct from 'collect' group by 1, 2;
