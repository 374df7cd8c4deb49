-- serves 0.2.0
-- Who is on the road with something: counting the active drivers looked each of them up among all that they ever delivered.
create index concurrently if not exists packages_on_the_road on packages (driver_id) where status in ('in transit', 'out for delivery');
