-- serves 0.2.0
-- Sums of all attempts of a day: what a total and a month are added up from, without the sums by driver, owner, …
insert into attempt_sums
  select 'all', day, '', sum(completed), sum(failed), sum(on_time), sum(first_attempts), sum(first_completed), sum(delivery_ms),
    sum(attempts_needed), sum(doors), sum(door_ms), sum(worked_ms), sum(returns)
  from attempt_sums where by = 'driver' group by day;

-- The same sums of 4, 16 and 64 days in a row, counted from the year 1, so that a month is some ten rows of a group, and a year twenty.
-- Each is the sum of its rows of attempt_sums, also while one of its days is stale. Not by route: each is of one day.
create table attempt_sum_spans (
  by text not null,
  days integer not null,
  -- The first one.
  day date not null,
  key text not null,
  completed integer not null,
  failed integer not null,
  on_time integer not null,
  first_attempts integer not null,
  first_completed integer not null,
  delivery_ms bigint not null,
  attempts_needed integer not null,
  doors integer not null,
  door_ms bigint not null,
  worked_ms bigint not null,
  returns integer not null,
  primary key (by, days, day, key)
);
insert into attempt_sum_spans
  select by, days, day - (day - '0001-01-01'::date) % days, key, sum(completed), sum(failed), sum(on_time), sum(first_attempts),
    sum(first_completed), sum(delivery_ms), sum(attempts_needed), sum(doors), sum(door_ms), sum(worked_ms), sum(returns)
  from attempt_sums cross join unnest(array[4, 16, 64]) as days where by in ('driver', 'owner', 'town', 'depot') group by 1, 2, 3, 4;
