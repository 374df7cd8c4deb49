alter table incidents
  add column version integer not null default 1,
  -- What was said at the latest move; those before stay in the events.
  add column note text,
  add check (type in ('Delay', 'Damage', 'Lost', 'Wrong address', 'Recipient unavailable', 'Vehicle', 'Delivery issue',
    'Package issue', 'Other'));
create index incidents_reporter on incidents (reporter_id);

-- An event of an incident, and what is told of it, lead to the incident.
alter table events add column incident_number integer references incidents (number);
alter table notifications add column incident_number integer references incidents (number);
