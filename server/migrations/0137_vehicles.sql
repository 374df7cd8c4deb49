-- serves 0.2.0
-- What a driver's vehicle can carry, what it emits (g of CO2 per km), and where the driver's routes begin and end (null: at the depot).
alter table users add column vehicle_capacity_kg double precision, add column vehicle_max_stops integer,
  add column vehicle_skills text[] not null default '{}', add column vehicle_grams_per_km integer,
  add column start_lon double precision, add column start_lat double precision,
  add column end_lon double precision, add column end_lat double precision;
-- How far a finished route was, and how long it was driven: null until a job has measured it.
alter table routes add column metres integer, add column drive_seconds integer, add column co2_grams integer;
