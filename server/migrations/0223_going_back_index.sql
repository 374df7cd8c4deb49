-- serves 0.2.0
-- What goes back to its owner, with what it is counted and filtered by: the counts of what waits read it from the index alone.
create index concurrently if not exists packages_going_back on packages (owner_id)
  include (address_postal_code, address_city, weight, route_id, next_step, eta, window_from, failed_at, id)
  where status = 'processing' and return_due;
