-- serves 0.2.0
-- What waits for a decision is counted with every live update of the administrators' dashboard: indexes of the few rows that do.
create index concurrently if not exists incidents_open on incidents (number desc) where status <> 'Resolved';
create index concurrently if not exists packages_failed_waiting on packages (failed_at)
  where failed_at is not null and status = 'processing';
