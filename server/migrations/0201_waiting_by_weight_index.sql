-- serves 0.2.0
-- What waits, by weight, with what it is counted and filtered by.
create index concurrently if not exists packages_waiting_by_weight on packages (weight)
  include (address_postal_code, address_city, route_id, next_step, eta, window_from, failed_at, owner_id, id) where status = 'processing';
