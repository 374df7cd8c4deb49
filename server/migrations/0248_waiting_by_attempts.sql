-- serves 0.2.0
-- What waits is also counted by whether an attempt has failed, so that this filter need not read each package. Writers wait while it is counted.
-- What has changed and is not added to the sums yet, will be added to these, too, as if nothing of it had failed: it is taken from there before.
lock table packages in share row exclusive mode;
alter table waiting_changes add column has_failed boolean not null default false;
create table waiting_by_attempts (
  has_failed boolean not null,
  postal_code text not null,
  city text not null,
  packages bigint not null,
  kilograms numeric not null,
  primary key (has_failed, postal_code, city)
);

-- For servers of version 0.2.0, as before.
create or replace function count_waiting() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    if old.status = 'processing' and old.route_id is null and old.next_step is distinct from 'collect' then
      insert into waiting_changes (postal_code, city, packages, kilograms, window_from, eta, owner_id, whole_kilograms, has_failed)
      values (coalesce(old.address_postal_code, ''), coalesce(old.address_city, ''), -1, -old.weight,
        coalesce(old.window_from, '-infinity'), coalesce(old.eta, '-infinity'), old.owner_id, floor(old.weight), old.failed_at is not null);
    end if;
  end if;
  if tg_op <> 'DELETE' then
    if new.status = 'processing' and new.route_id is null and new.next_step is distinct from 'collect' then
      insert into waiting_changes (postal_code, city, packages, kilograms, window_from, eta, owner_id, whole_kilograms, has_failed)
      values (coalesce(new.address_postal_code, ''), coalesce(new.address_city, ''), 1, new.weight,
        coalesce(new.window_from, '-infinity'), coalesce(new.eta, '-infinity'), new.owner_id, floor(new.weight), new.failed_at is not null);
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

insert into waiting_by_attempts
select has_failed, postal_code, city, sum(packages), sum(kilograms) from (
  select failed_at is not null, coalesce(address_postal_code, ''), coalesce(address_city, ''), 1, weight
  from packages where status = 'processing' and route_id is null and next_step is distinct from 'collect'
  union all select has_failed, postal_code, city, -packages, -kilograms from waiting_changes
) each (has_failed, postal_code, city, packages, kilograms)
group by 1, 2, 3 having sum(packages) <> 0 or sum(kilograms) <> 0;
