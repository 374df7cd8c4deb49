-- serves 0.2.0
-- Stops that a driver offers to a colleague. An open offer is over once it has expired: nothing has to be written for that.
create table route_offers (
  id uuid primary key,
  route_id uuid not null references routes on delete cascade,
  from_driver_id uuid not null references users,
  to_driver_id uuid not null references users,
  package_ids uuid[] not null,
  state text not null default 'open' check (state in ('open', 'accepted', 'declined', 'withdrawn')),
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index route_offers_to on route_offers (to_driver_id, expires_at) where state = 'open';
create index route_offers_from on route_offers (from_driver_id, expires_at) where state = 'open';
create index route_offers_of_route on route_offers (route_id);
