alter table incidents
  add column version integer not null default 1,
  -- A path among the images.
  add column photo text,
  -- What was said at the latest move; those before stay in the events.
  add column note text,
  add check (type in ('Delay', 'Damage', 'Lost', 'Wrong address', 'Recipient unavailable', 'Vehicle', 'Delivery issue',
    'Package issue', 'Other'));
create index incidents_reporter on incidents (reporter_id);

-- An event of an incident, and what is told of it, lead to the incident.
alter table events add column incident_number integer references incidents (number);
alter table notifications add column incident_number integer references incidents (number);

-- One rating a package, by its row. The driver of a delivered package is who completed it: nothing leaves that status.
alter table packages
  add column rating_stars smallint check (rating_stars between 1 and 5),
  add column rating_comment text,
  add column rated_at timestamptz,
  add check ((rating_stars is null) = (rated_at is null) and (rating_stars is null or status = 'delivered'));
-- A driver's average is computed from the ratings themselves, out of this index alone.
create index packages_rated on packages (driver_id, rating_stars) where rating_stars is not null;

-- What proves a delivery, beside the name of who took it, which stands on the package.
create table proofs (
  package_id uuid primary key references packages,
  note text,
  place text,
  -- Paths among the images.
  photo text,
  signature text
);
insert into proofs (package_id, note, place)
  select package_id, note, location from events where type = 'delivery.completed';
