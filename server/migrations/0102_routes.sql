-- serves 0.2.0
-- One driver's stops of one day. Which packages are on a route is a column of theirs, so that none is on two; their order is on the route.
create table routes (
  id uuid primary key,
  day date not null,
  depot_id uuid not null references depots,
  driver_id uuid references users,
  state text not null default 'planned' check (state in ('planned', 'started', 'finished')),
  version integer not null default 1,
  starts_at timestamptz,
  started_at timestamptz,
  finished_at timestamptz,
  released boolean not null default false,
  -- The order. Packages that left the route may still be in it: the column of the package decides.
  stop_ids uuid[] not null default '{}',
  locked_ids uuid[] not null default '{}',
  -- Taken back to the depot when the route was finished.
  left_ids uuid[] not null default '{}',
  created_at timestamptz not null,
  updated_at timestamptz not null
);
-- A driver has at most one started route.
create unique index routes_started on routes (driver_id) where state = 'started';
create index routes_of_day on routes (day, id desc);
create index routes_of_driver on routes (driver_id, day, id desc);
create index routes_of_depot on routes (depot_id, id desc);
alter table packages add column route_id uuid;
