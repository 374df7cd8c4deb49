-- serves 0.2.0
-- What is asked at the door. The digits of a PIN are in no table: the installation's key makes them (server/src/packages/pin.ts).
alter table packages
  add column handling_pin boolean not null default false,
  add column handling_age smallint;

-- The wrong PINs of a package, each once, as keyed hashes: a repeated request is no further try. `waived`: it is not asked any more.
create table pin_checks (
  package_id uuid primary key references packages,
  wrong text[] not null default '{}',
  waived boolean not null default false
);

alter table proofs
  add column pin text check (pin in ('given', 'waived')),
  add column age_checked smallint;
