-- serves 0.2.0
-- How long each driver takes for a leg and a door, as a part of what is expected of all: learned each night from the last 28 days, and gone
-- with a driver who has none.
create table driver_paces (
  driver_id uuid primary key references users on delete cascade,
  pace double precision not null
);
