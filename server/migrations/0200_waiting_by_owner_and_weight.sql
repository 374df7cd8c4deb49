-- serves 0.2.0
-- What waits is also counted by owner, and by whole kilograms, so that the filters by owner and by weight need not read each package. Writers
-- wait while it is counted anew.
lock table packages in share row exclusive mode;
alter table waiting_changes
  add column owner_id uuid not null default '00000000-0000-0000-0000-000000000000',
  add column whole_kilograms integer not null default 0;
create table waiting_by_owner (
  owner_id uuid not null,
  postal_code text not null,
  city text not null,
  packages bigint not null,
  kilograms numeric not null,
  primary key (owner_id, postal_code, city)
);
create table waiting_by_weight (
  whole_kilograms integer not null,
  postal_code text not null,
  city text not null,
  packages bigint not null,
  kilograms numeric not null,
  primary key (whole_kilograms, postal_code, city)
);

-- For servers of version 0.2.0, as before.
create or replace function count_waiting() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    if old.status = 'processing' and old.route_id is null and old.next_step is distinct from 'collect' then
      insert into waiting_changes (postal_code, city, packages, kilograms, window_from, eta, owner_id, whole_kilograms)
      values (coalesce(old.address_postal_code, ''), coalesce(old.address_city, ''), -1, -old.weight,
        coalesce(old.window_from, '-infinity'), coalesce(old.eta, '-infinity'), old.owner_id, floor(old.weight));
    end if;
  end if;
  if tg_op <> 'DELETE' then
    if new.status = 'processing' and new.route_id is null and new.next_step is distinct from 'collect' then
      insert into waiting_changes (postal_code, city, packages, kilograms, window_from, eta, owner_id, whole_kilograms)
      values (coalesce(new.address_postal_code, ''), coalesce(new.address_city, ''), 1, new.weight,
        coalesce(new.window_from, '-infinity'), coalesce(new.eta, '-infinity'), new.owner_id, floor(new.weight));
    end if;
  end if;
  return null;
end $$;
-- The servers of that version may have gone, and the trigger with them.
do $$ begin
  if not exists (select from pg_trigger where tgname = 'count_waiting') then
    drop function count_waiting();
  end if;
end $$;

delete from waiting_changes;
delete from waiting_counts;
delete from waiting_totals;
insert into waiting_counts (postal_code, city, packages, kilograms, window_from, eta)
select coalesce(address_postal_code, ''), coalesce(address_city, ''), count(*), sum(weight), coalesce(window_from, '-infinity'), coalesce(eta, '-infinity')
from packages where status = 'processing' and route_id is null and next_step is distinct from 'collect' group by 1, 2, 5, 6;
insert into waiting_totals
select postal_code, city, window_from > '-infinity', sum(packages), sum(kilograms) from waiting_counts group by 1, 2, 3;
insert into waiting_by_owner
select owner_id, coalesce(address_postal_code, ''), coalesce(address_city, ''), count(*), sum(weight)
from packages where status = 'processing' and route_id is null and next_step is distinct from 'collect' group by 1, 2, 3;
insert into waiting_by_weight
select floor(weight), coalesce(address_postal_code, ''), coalesce(address_city, ''), count(*), sum(weight)
from packages where status = 'processing' and route_id is null and next_step is distinct from 'collect' group by 1, 2, 3;
