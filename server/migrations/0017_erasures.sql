-- How a deleted user was called, for as long as that may stand in texts that stay (erasure.ts), and no longer.
create table erasures (
  user_id uuid primary key references users,
  name text not null,
  email text not null,
  phone text,
  vehicle_license_plate text
);
