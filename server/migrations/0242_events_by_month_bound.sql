-- post-deployment
-- serves 0.3.0
-- What only servers of version 0.2.0 used, and what 0241 needed.
drop view events;
drop function add_event_of_older_server();
drop function change_event_of_older_server();
drop table attempt_reasons_added;
-- By the month of the package, as attempts are: all events of a package are in one partition, and the primary key stays. Without foreign
-- keys, since a new partition would lock users, packages and incidents against writers; rows of these are never deleted. They are locked
-- first, as requests do.
lock table users, packages, incidents, package_events in access exclusive mode;
alter table package_events drop constraint events_actor_id_fkey, drop constraint events_package_id_fkey,
  drop constraint package_events_incident_fkey;
-- The rows that exist become the first partition, without being copied. It ends with the month of the day in 8 days: should the next file
-- be interrupted, there is a week to finish it. Without an end if there are ids of another kind.
do $$
declare
  end_of_month text := lpad(to_hex((extract(epoch from date_trunc('month', now() + interval '8 days', 'UTC') + interval '1 month') * 1000)::bigint),
    12, '0') || repeat('0', 20);
  is_beyond boolean := exists (select from package_events where package_id >= end_of_month::uuid);
begin
  execute format('alter table package_events add constraint package_events_bound check (package_id < %L) not valid',
    case when is_beyond then 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid else end_of_month::uuid end);
end $$;
