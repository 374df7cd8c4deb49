-- serves 0.2.0
-- Overdue packages, the newest first: without it all that were registered since are read, most of them delivered.
create index concurrently if not exists packages_unfinished on packages
  (id desc, (coalesce(window_to, (eta + 1)::timestamp at time zone 'UTC')))
  where status in ('processing', 'in transit', 'out for delivery');
