-- serves 0.2.0
-- What is to be moved, so that each step finds it.
create index concurrently if not exists package_events_of_accounts on package_events (id) where package_id is null;
