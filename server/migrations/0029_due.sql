-- serves 0.2.0
-- Deliveries under way by when they are due: how many are overdue is asked for every few seconds by whoever watches over the server.
create index concurrently if not exists packages_due on packages
  ((coalesce(window_to, (eta + 1)::timestamp at time zone 'UTC')))
  where status in ('processing', 'in transit', 'out for delivery');
