-- serves 0.2.0
-- The incident that a page of those behind a figure begins after.
create index concurrently if not exists incidents_id on incidents (id);
