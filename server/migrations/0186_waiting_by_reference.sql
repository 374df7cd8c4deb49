-- serves 0.2.0
-- What waits, by the beginning of its reference, with what it is counted by.
create index concurrently if not exists packages_waiting_by_reference on packages (lower(reference) text_pattern_ops)
  include (address_postal_code, address_city, weight, route_id, next_step, id) where status = 'processing' and reference is not null;
