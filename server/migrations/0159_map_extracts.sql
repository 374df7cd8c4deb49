-- serves 0.2.0
-- Extracts of OpenStreetMap: one is current, the others are being imported, or were broken off.
create table map_extracts (
  id uuid primary key,
  name text not null,
  imported_at timestamptz not null,
  is_current boolean not null default false,
  west double precision not null,
  south double precision not null,
  east double precision not null,
  north double precision not null,
  ways integer not null,
  addresses integer not null,
  crossings integer not null,
  -- The road graph (server/src/maps/osm/graph.ts).
  graph bytea not null
);
create unique index map_extracts_current on map_extracts (is_current) where is_current;
-- Vector tiles, gzipped, by zoom; those of another extract than the current one are not shown.
create table map_tiles (
  extract_id uuid not null,
  z integer not null,
  x integer not null,
  y integer not null,
  data bytea not null,
  primary key (extract_id, z, x, y)
);
alter table map_tiles alter column data set storage external;
-- Addresses of an extract until it becomes the current one; then they are in the gazetteer.
create table map_addresses (
  extract_id uuid not null,
  key text not null,
  street text not null,
  postal_code text,
  city text not null,
  country text,
  lon double precision not null,
  lat double precision not null
);
