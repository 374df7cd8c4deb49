-- serves 0.2.0
-- What was cancelled or deleted gives its reference back: nothing leaves either, so nothing that has given one back can want it again.
create unique index concurrently if not exists packages_reference on packages (owner_id, reference)
  where reference is not null and status not in ('cancelled', 'inactive');
