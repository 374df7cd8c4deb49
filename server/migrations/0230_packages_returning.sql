-- serves 0.2.0
-- What goes back to its owner and is not there yet. Few.
create index concurrently if not exists packages_returning on packages (owner_id)
  where return_due and status in ('processing', 'in transit', 'out for delivery');
