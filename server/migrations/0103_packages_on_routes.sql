-- serves 0.2.0
create index concurrently if not exists packages_on_route on packages (route_id, id) where route_id is not null;
create index concurrently if not exists packages_planned on packages (route_id, id) where route_id is not null and status = 'processing';
