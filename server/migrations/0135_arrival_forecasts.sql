-- serves 0.2.0
-- What was learned from the arrivals of the past: one row.
create table arrival_model (
  id boolean primary key default true check (id),
  learned_at timestamptz not null,
  legs integer not null,
  outcomes integer not null,
  -- { ratios, quantiles }: server/src/travel/forecast.ts
  model jsonb not null
);
-- When a driver was expected, as it was published when so many stops were left, once for each horizon of a package on a route; and when
-- the driver was there.
create table arrival_forecasts (
  package_id uuid not null,
  route_id uuid not null,
  -- Its place in the list of horizons: 1, 2-3, 4-8, 9-20, 21 and more stops to go.
  horizon smallint not null,
  stops_ahead smallint not null,
  made_at timestamptz not null,
  expected_at timestamptz not null,
  median_at timestamptz not null,
  from_at timestamptz not null,
  to_at timestamptz not null,
  -- The estimate without places: so many minutes for each stop.
  fixed_at timestamptz not null,
  arrived_at timestamptz,
  primary key (package_id, route_id, horizon)
);
create index arrival_forecasts_open on arrival_forecasts (made_at) where arrived_at is null;
create index arrival_forecasts_made on arrival_forecasts (made_at);
