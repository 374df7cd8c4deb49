-- serves 0.2.0
-- Drivers who let their place be known while they work, since when. Without a row nothing is stored, and what was stored is not shown.
create table position_consents (
  user_id uuid primary key references users on delete cascade,
  agreed_at timestamptz not null
);
-- Where drivers were last, one row each. Written again and again: half-empty pages keep the new versions of a row on its page, without
-- a change of the index.
create table driver_positions (
  driver_id uuid primary key,
  at timestamptz not null,
  lon double precision not null,
  lat double precision not null,
  -- In m, m/s and degrees from north; null where the device does not know.
  accuracy real,
  speed real,
  heading real
) with (fillfactor = 50);
-- Where they have been, by the time of the device.
create table positions (
  driver_id uuid not null,
  at timestamptz not null,
  lon double precision not null,
  lat double precision not null,
  accuracy real,
  speed real,
  heading real,
  primary key (driver_id, at)
) partition by range (at);
create table positions_default partition of positions default;
