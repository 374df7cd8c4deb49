-- serves 0.2.0
-- Plans of a day: what is to be solved, and the best solution so far. Ids only, no personal data.
create table plans (
  id uuid primary key,
  day date not null,
  depot_id uuid not null references depots,
  created_by uuid not null references users,
  state text not null default 'solving' check (state in ('solving', 'ready', 'applied', 'failed')),
  limit_seconds double precision not null,
  driver_ids uuid[] not null,
  package_ids uuid[] not null,
  -- { routes, unassigned, cost, split }
  result jsonb,
  best jsonb not null default '[]',
  failure text,
  -- The process that searches renews its lease; a search whose lease has ended begins again, once.
  attempts integer not null default 0,
  lease_until timestamptz,
  created_at timestamptz not null
);
create index plans_solving on plans (created_at) where state = 'solving';
