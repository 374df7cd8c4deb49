-- serves 0.2.0
-- What waits is also counted by owner and weight, and by each of them with windows and ETAs, so that two filters together need not read each
-- package. Writers wait while it is counted. What has changed and is not added to the sums yet, will be added to these, too.
lock table packages, waiting_changes in share row exclusive mode;
create table waiting_by_owner_and_weight (
  owner_id uuid not null,
  whole_kilograms integer not null,
  postal_code text not null,
  city text not null,
  packages bigint not null,
  kilograms numeric not null,
  primary key (owner_id, whole_kilograms, postal_code, city)
);
create table waiting_by_owner_and_window (
  owner_id uuid not null,
  postal_code text not null,
  city text not null,
  window_from timestamptz not null,
  eta date not null,
  packages bigint not null,
  kilograms numeric not null,
  primary key (owner_id, postal_code, city, window_from, eta)
);
create table waiting_by_weight_and_window (
  whole_kilograms integer not null,
  postal_code text not null,
  city text not null,
  window_from timestamptz not null,
  eta date not null,
  packages bigint not null,
  kilograms numeric not null,
  primary key (whole_kilograms, postal_code, city, window_from, eta)
);

with counted as materialized (
  select postal_code, city, window_from, eta, owner_id, whole_kilograms, sum(packages) as packages, sum(kilograms) as kilograms
  from (
    select coalesce(address_postal_code, ''), coalesce(address_city, ''), coalesce(window_from, '-infinity'), coalesce(eta, '-infinity'),
      owner_id, floor(weight)::integer, 1, weight
    from packages where status = 'processing' and route_id is null and next_step is distinct from 'collect'
    union all select postal_code, city, window_from, eta, owner_id, whole_kilograms, -packages, -kilograms from waiting_changes
  ) each (postal_code, city, window_from, eta, owner_id, whole_kilograms, packages, kilograms)
  group by 1, 2, 3, 4, 5, 6
), by_owner_and_weight as (
  insert into waiting_by_owner_and_weight
  select owner_id, whole_kilograms, postal_code, city, sum(packages), sum(kilograms) from counted
  group by 1, 2, 3, 4 having sum(packages) <> 0 order by 1, 2, 3, 4
), by_owner_and_window as (
  insert into waiting_by_owner_and_window
  select owner_id, postal_code, city, window_from, eta, sum(packages), sum(kilograms) from counted
  group by 1, 2, 3, 4, 5 having sum(packages) <> 0 order by 1, 2, 3, 4, 5
)
insert into waiting_by_weight_and_window
select whole_kilograms, postal_code, city, window_from, eta, sum(packages), sum(kilograms) from counted
group by 1, 2, 3, 4, 5 having sum(packages) <> 0 order by 1, 2, 3, 4, 5;
