-- post-deployment
-- serves 0.3.0
alter table package_events rename to package_events_before;
do $$
declare
  index_name text;
begin
  for index_name in select relname from pg_index join pg_class on oid = indexrelid where indrelid = 'package_events_before'::regclass loop
    execute format('alter index %I rename to %I', index_name, index_name || '_before');
  end loop;
end $$;
create table package_events (
  like package_events_before including defaults,
  primary key (package_id, id, at)
) partition by range (package_id);
create index package_events_id on package_events (id);
create index events_created on package_events (at, id) where type = 'package.created';
create index events_started on package_events (at, id)
  where type = 'delivery.started' or (type = 'delivery.assigned' and previous_driver_id is null);
create index events_released on package_events (at, id) where type = 'delivery.released';
create index events_issues on package_events (type, at, id) where type in ('issue.reported', 'incident.resolved', 'package.rated');
create index package_events_rated on package_events (at, id) where type in ('package.rated', 'package.rated-by-recipient');
create index package_events_ended_otherwise on package_events (type, status)
  where type in ('package.returned', 'package.collected', 'delivery.reopened');
do $$
begin
  if exists (select from package_events_before) then
    execute format('alter table package_events attach partition package_events_before for values from (minvalue) to (%L)',
      (select substring(pg_get_constraintdef(oid) from $re$'([^']+)'$re$) from pg_constraint where conname = 'package_events_bound'));
    alter table package_events_before drop constraint package_events_bound;
  else
    drop table package_events_before;
  end if;
end $$;
create table package_events_default partition of package_events default;
