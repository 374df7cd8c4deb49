-- serves 0.3.0
-- post-deployment: servers of version 0.2.0 insert by a unique index without the month
-- The rows that exist become the first partition, without being copied. It ends with the month of the day in 8 days: should the next files
-- be interrupted, there is a week to finish them. Later still if a clock was ahead once, so that the constraint holds for every row.
do $$
begin
  execute format('alter table notifications add constraint notifications_bound check (created_at < %1$L) not valid;
    alter table notification_deliveries add constraint notification_deliveries_bound check (at < %1$L) not valid',
    date_trunc('month', greatest(now() + interval '8 days', (select max(created_at) from notifications),
      (select max(at) from notification_deliveries)), 'UTC') + interval '1 month');
end $$;
