-- serves 0.2.0
-- Where an attempt counts, as it was when the attempt ended: a package may change its route, its depot and its address. `day` is that of
-- the depot's zone. All null in rows of servers of 0.2.0, which count for their owner and driver, by the day in UTC.
alter table delivery_attempts add column day date, add column owner_id uuid, add column depot_id uuid, add column route_id uuid,
  add column town text;

-- Sums of a day by whoever or whatever `by` names (driver, owner, town, depot, route); `key` is its id or name, or '' for none.
create table attempt_sums (
  by text not null,
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
  primary key (by, day, key)
);

-- Days whose sums are not valid: something of them has changed. They are summed at each reading until a job has done it. A day may be in it
-- several times: whoever changes something only appends.
create table attempt_sums_stale (day date not null);

-- What each attempt and return of these days adds. The time worked for an attempt begins with its start, or with the end of the driver's
-- attempt before it if that was later, so that the sum of several is the time that passed.
create function attempt_facts(days date[]) returns table (day date, driver_id uuid, owner_id uuid, town text, depot_id uuid, route_id uuid,
  completed integer, failed integer, on_time integer, first_attempts integer, first_completed integer, delivery_ms bigint,
  attempts_needed integer, doors integer, door_ms bigint, worked_ms bigint, returns integer)
language sql stable as $$
  select asked.day, a.driver_id, a.owner_id, a.town, a.depot_id, a.route_id,
    a.is_completed, 1 - a.is_completed,
    a.is_completed * (case when a.due_at is not null then a.ended_at <= a.due_at
      when a.eta is null then a.ended_at <= a.estimated_delivery_at else asked.day <= a.eta end)::integer,
    (a.number = 1)::integer, a.is_completed * (a.number = 1)::integer,
    a.is_completed * round(extract(epoch from a.ended_at - a.started_at) * 1000)::bigint,
    a.is_completed * a.number,
    (a.arrived_at is not null)::integer,
    coalesce(round(extract(epoch from a.ended_at - a.arrived_at) * 1000), 0)::bigint,
    greatest(0, round(extract(epoch from a.ended_at - greatest(a.started_at, a.ended_before)) * 1000))::bigint,
    0
  from unnest(days) as asked (day) cross join lateral (
    select of_day.*, lag(of_day.ended_at) over (partition by of_day.driver_id order by of_day.ended_at, of_day.package_id) as ended_before
    from (
      select package_id, driver_id, number, started_at, arrived_at, ended_at, due_at, eta, estimated_delivery_at, attempt.depot_id,
        attempt.route_id, attempt.town, (outcome = 'completed')::integer as is_completed,
        coalesce(attempt.owner_id, (select packages.owner_id from packages where packages.id = attempt.package_id)) as owner_id
      from delivery_attempts attempt
      -- Zones are at most 14 hours ahead of UTC, and 12 behind.
      where outcome in ('completed', 'failed') and ended_at >= (asked.day::timestamp - interval '14 hours') at time zone 'UTC'
        and ended_at < (asked.day::timestamp + interval '36 hours') at time zone 'UTC'
        and coalesce(attempt.day, (ended_at at time zone 'UTC')::date) = asked.day
    ) of_day
  ) a
  union all
  select returned.day, returned.driver_id, returned.owner_id, returned.town, returned.depot_id, returned.route_id,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1
  from (
    select (e.at at time zone coalesce(depots.time_zone, (select time_zone from settings), 'UTC'))::date as day, e.driver_id, e.owner_id,
      nullif(btrim(p.address_city), '') as town, p.depot_id, p.route_id
    from package_events e join packages p on p.id = e.package_id left join depots on depots.id = p.depot_id
    where e.type = 'package.returned'
  ) returned
  where returned.day = any(days)
$$;

insert into attempt_sums_stale select distinct (ended_at at time zone 'UTC')::date from delivery_attempts;
