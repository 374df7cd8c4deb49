-- serves 0.2.0
-- When drivers are away, by whole days. A shift that begins in an absence is not worked.
create table absences (
  id uuid primary key,
  driver_id uuid not null references users,
  kind text not null check (kind in ('sick', 'holiday', 'other')),
  first_day date not null,
  last_day date not null,
  -- The same days as instants, in the organisation's zone when they were entered.
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  note text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version integer not null default 1,
  check (last_day >= first_day and ends_at > starts_at),
  -- Nobody is absent twice on a day, whoever enters it at the same moment.
  constraint absences_do_not_overlap exclude using gist (driver_id with =, daterange(first_day, last_day, '[]') with &&)
);
create index absences_period on absences (first_day, id);
create index absences_of_driver on absences (driver_id, starts_at);
