-- serves 0.2.0
-- Where the package waits, or waited last; null: the only depot, or any.
alter table packages add column depot_id uuid;
-- The route of a package on the road: what arrives when is put in when the view is read.
alter table public_views add column route_id uuid;
