-- serves 0.2.0
-- What waits to be planned, by postal code and town: its counts and sums come from the index alone.
create index concurrently if not exists packages_to_plan on packages (address_postal_code, address_city, id)
  include (weight, route_id, next_step) where status = 'processing';
create index concurrently if not exists routes_planned on routes (id) where state = 'planned';
