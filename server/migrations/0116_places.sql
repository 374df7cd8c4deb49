-- serves 0.2.0
-- Where an address is, in degrees (WGS 84); all four are null until that is known.
alter table packages add column place_lon double precision, add column place_lat double precision,
  add column place_accuracy text, add column place_source text;
alter table depots add column place_lon double precision, add column place_lat double precision,
  add column place_accuracy text, add column place_source text, add column place_searched_at timestamptz;
-- Packages whose address has no exact place yet. A due row is looked up; without a time nothing better was found, and it waits for a pin.
create table place_searches (
  package_id uuid primary key,
  attempts integer not null default 0,
  due_at timestamptz default now()
);
create index place_searches_due on place_searches (due_at) where due_at is not null;
-- The address book of an owner: each address once, with its place if that is known.
create table addresses (
  id uuid primary key,
  owner_id uuid not null references users,
  name text,
  street text not null,
  postal_code text,
  city text not null,
  country text,
  -- Street, postal code and town without regard to case and blanks.
  key text not null,
  place_lon double precision,
  place_lat double precision,
  place_accuracy text,
  place_source text,
  created_at timestamptz not null,
  used_at timestamptz not null
);
create unique index addresses_key on addresses (owner_id, key);
