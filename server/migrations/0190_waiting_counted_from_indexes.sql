-- serves 0.2.0
-- What waits by the beginning of its reference is read from the index alone: that needs the column, too, besides the expression.
create index concurrently if not exists packages_waiting_referenced on packages (lower(reference) text_pattern_ops)
  include (reference, address_postal_code, address_city, weight, route_id, next_step, id) where status = 'processing' and reference is not null;
drop index concurrently if exists packages_waiting_by_reference;
-- What failed and waits again, with what it is counted by.
create index concurrently if not exists packages_failed_and_waiting on packages (failed_at)
  include (address_postal_code, address_city, weight, route_id, next_step, id) where failed_at is not null and status = 'processing';
drop index concurrently if exists packages_failed_waiting;
