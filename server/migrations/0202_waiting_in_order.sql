-- serves 0.2.0
-- What waits in the order of delivery is read from the index alone only if it has the street, too, besides the expression: else whatever takes the
-- first of a filter reads each package, or all that match and sorts them.
create index concurrently if not exists packages_waiting_in_order on packages (address_postal_code, address_city,
  (regexp_replace(regexp_replace(lower(coalesce(address_street, '')), '(\d+)', '00000\1', 'g'), '0*(\d{6})', '\1', 'g')), id)
  include (address_street, weight, route_id, next_step, eta, window_from, failed_at, owner_id, reference) where status = 'processing';
drop index concurrently if exists packages_waiting_by_street;
