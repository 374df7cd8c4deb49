-- serves 0.2.0
-- What waits, by postal code, town, street and house number, with what it is filtered by: pages of a group, the first of all for a route, and
-- counts are read from the index alone. In place of packages_to_plan, which had neither.
create index concurrently if not exists packages_waiting_by_street on packages (address_postal_code, address_city,
  (regexp_replace(regexp_replace(lower(coalesce(address_street, '')), '(\d+)', '00000\1', 'g'), '0*(\d{6})', '\1', 'g')), id)
  include (weight, route_id, next_step, eta, window_from, failed_at, owner_id, reference) where status = 'processing';
drop index concurrently if exists packages_to_plan;
-- What is planned, and what failed on a started route: in place of packages_planned, with what is counted.
create index concurrently if not exists packages_of_routes on packages (route_id, id)
  include (address_postal_code, address_city, weight, next_step) where route_id is not null and status = 'processing';
drop index concurrently if exists packages_planned;
-- The same places as packages_on_map, with all that a map shows: a full view of 5,000 packages is read from the index alone.
create index concurrently if not exists packages_shown_on_map on packages using gist ((point(place_lon * 111319.49079327358,
  6378137 * ln(tan(radians(45 + least(greatest(place_lat, -85.0511), 85.0511) / 2))))))
  include (id, tracking_id, status, driver_id, route_id, place_lon, place_lat, place_accuracy)
  where status in ('processing', 'in transit', 'out for delivery') and place_lon is not null and place_lat is not null;
drop index concurrently if exists packages_on_map;
