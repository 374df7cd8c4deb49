-- serves 0.2.0
-- A driver's finished deliveries by when they were done, and what waits by when it is due, in the order of `dueKeys`.
create index concurrently if not exists packages_driver_done on packages (driver_id, completed_at desc, id desc) where status = 'delivered';
create index concurrently if not exists packages_waiting_due on packages
  ((coalesce(window_to, (eta + 1)::timestamp at time zone 'UTC', 'infinity')), id) where status = 'processing';
