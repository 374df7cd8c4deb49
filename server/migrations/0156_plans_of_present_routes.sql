-- serves 0.2.0
-- The planned routes whose stops a plan plans anew, with the versions that it has read; and the version of a plan that is changed by hand.
alter table plans
  add column route_ids uuid[] not null default '{}',
  add column route_versions integer[] not null default '{}',
  add column version integer not null default 1;
