-- serves 0.2.0
-- When a driver came near the door of an attempt and how long they stayed, by their own positions: the button may be pressed elsewhere.
-- Goes with the positions.
create table door_stays (
  package_id uuid not null,
  -- Of the attempt.
  number integer not null,
  driver_id uuid not null,
  near_at timestamptz not null,
  near_until timestamptz not null,
  primary key (package_id, number)
);
create index door_stays_driver on door_stays (driver_id);
create index door_stays_at on door_stays (near_at);
