-- serves 0.3.0
-- post-deployment: servers of version 0.2.0 expect an identity column
-- By the month of the package: its id is a UUID of version 7, which begins with the time, so a range of ids is the packages of a time. All
-- attempts of a package are in one partition, and the primary key stays. Without the foreign key, since a new partition would lock
-- packages against writers; packages are never deleted. Packages first, as requests lock them.
lock table packages, delivery_attempts in access exclusive mode;
alter table delivery_attempts drop constraint delivery_attempts_package_id_fkey;
alter table delivery_attempts alter column id drop identity;
create sequence attempt_ids;
select setval('attempt_ids', (select coalesce(max(id), 0) + 1 from delivery_attempts), false);
alter table delivery_attempts alter column id set default nextval('attempt_ids');
-- The rows that exist become the first partition, without being copied. It ends with the month of the day in 8 days: should the next file
-- be interrupted, there is a week to finish it. Without an end if there are ids of another kind.
do $$
declare
  end_of_month text := lpad(to_hex((extract(epoch from date_trunc('month', now() + interval '8 days', 'UTC') + interval '1 month') * 1000)::bigint),
    12, '0') || repeat('0', 20);
  is_beyond boolean := exists (select from delivery_attempts where package_id >= end_of_month::uuid);
begin
  execute format('alter table delivery_attempts add constraint delivery_attempts_bound check (package_id < %L) not valid',
    case when is_beyond then 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid else end_of_month::uuid end);
end $$;
