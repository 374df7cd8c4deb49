-- serves 0.2.0
-- What waits is also counted by the start of its window and by its ETA, so that the filters by window and by day need not read each package.
-- '-infinity' is none. Writers wait while it is counted anew.
lock table packages in share row exclusive mode;
alter table waiting_changes
  add column window_from timestamptz not null default '-infinity',
  add column eta date not null default '-infinity';
alter table waiting_counts
  add column window_from timestamptz not null default '-infinity',
  add column eta date not null default '-infinity';
alter table waiting_counts drop constraint waiting_counts_pkey;
alter table waiting_counts add primary key (postal_code, city, window_from, eta);

-- For servers of version 0.2.0, as before.
create or replace function count_waiting() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    if old.status = 'processing' and old.route_id is null and old.next_step is distinct from 'collect' then
      insert into waiting_changes (postal_code, city, packages, kilograms, window_from, eta)
      values (coalesce(old.address_postal_code, ''), coalesce(old.address_city, ''), -1, -old.weight,
        coalesce(old.window_from, '-infinity'), coalesce(old.eta, '-infinity'));
    end if;
  end if;
  if tg_op <> 'DELETE' then
    if new.status = 'processing' and new.route_id is null and new.next_step is distinct from 'collect' then
      insert into waiting_changes (postal_code, city, packages, kilograms, window_from, eta)
      values (coalesce(new.address_postal_code, ''), coalesce(new.address_city, ''), 1, new.weight,
        coalesce(new.window_from, '-infinity'), coalesce(new.eta, '-infinity'));
    end if;
  end if;
  return null;
end $$;

delete from waiting_changes;
delete from waiting_counts;
insert into waiting_counts (postal_code, city, packages, kilograms, window_from, eta)
select coalesce(address_postal_code, ''), coalesce(address_city, ''), count(*), sum(weight), coalesce(window_from, '-infinity'), coalesce(eta, '-infinity')
from packages where status = 'processing' and route_id is null and next_step is distinct from 'collect' group by 1, 2, 5, 6;
