-- serves 0.2.0
-- Where packages wait, and where routes begin and end. The first one is created at a server's start, which knows the organisation's name
-- and zone: both may come from the environment.
create table depots (
  id uuid primary key,
  name text not null,
  address_street text,
  address_postal_code text,
  address_city text,
  address_country text,
  -- HH:MM in the depot's zone.
  opens_at text,
  closes_at text,
  time_zone text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version integer not null default 1,
  -- A deleted depot is only hidden: past routes and packages name it.
  deleted_at timestamptz,
  check ((opens_at is null) = (closes_at is null))
);
create unique index depots_name on depots (lower(name)) where deleted_at is null;
