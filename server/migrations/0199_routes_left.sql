-- serves 0.2.0
-- What was counted back at the end of a route, by package.
create index concurrently if not exists routes_left on routes using gin (left_ids) where left_ids <> '{}';
