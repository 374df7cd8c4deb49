-- serves 0.2.0
-- Each connection plans this once and keeps the plan, since that takes as long as reading a day: inside of other statements it was planned with
-- each of them, five times on each connection. Those who were on the road as the day began are joined, and times subtracted without numeric,
-- which is slow. The figures stay what they were: microseconds are whole numbers, from which milliseconds are rounded as before.
create or replace function attempt_facts(days date[]) returns table (day date, driver_id uuid, owner_id uuid, town text, depot_id uuid, route_id uuid,
  completed integer, failed integer, on_time integer, first_attempts integer, first_completed integer, delivery_ms bigint,
  attempts_needed integer, doors integer, door_ms bigint, worked_ms bigint, returns integer)
language plpgsql stable set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
begin return query
  select asked.day, a.driver_id, a.owner_id, a.town, a.depot_id, a.route_id,
    a.is_completed, 1 - a.is_returned - a.is_completed,
    (a.is_completed = 1 and case when a.due_at is not null then a.ended_at <= a.due_at
      when a.eta is null then a.ended_at <= a.estimated_delivery_at else asked.day <= a.eta end)::integer,
    (a.number = 1)::integer, a.is_completed * (a.number = 1)::integer,
    case when a.is_completed = 1 then (round(date_part('epoch', a.ended_at - a.started_at) * 1000000)::bigint + 500) / 1000 else 0 end,
    a.is_completed * a.number,
    (a.arrived_at is not null)::integer,
    coalesce((round(date_part('epoch', a.ended_at - a.arrived_at) * 1000000)::bigint + 500) / 1000, 0),
    case when a.is_returned = 1 then 0
      else greatest(0, (round(date_part('epoch', a.ended_at - greatest(a.carried_from, a.ended_before, a.ended_the_day_before)) * 1000000)::bigint + 500) / 1000) end,
    a.is_returned
  from unnest(days) as asked (day) cross join lateral (
    with of_driver as materialized (
      select timed.*, timed.ended_before is null and timed.is_returned = 0 and timed.carried_from < asked.day::timestamp at time zone coalesce(
        (select depots.time_zone from depots where depots.id = timed.depot_id), (select settings.time_zone from settings), 'UTC') as is_over_midnight
      from (
        select ordered.*,
          case when ordered.ended_before is null or ordered.ended_before < ordered.started_at
            then least(ordered.started_at, (select routes.started_at from routes where routes.id = ordered.route_id))
            else ordered.started_at end as carried_from
        from (
          select of_day.*, lag(of_day.ended_at) over (partition by of_day.driver_id order by of_day.ended_at, of_day.is_returned, of_day.package_id) as ended_before
          from (
            select attempt.package_id, attempt.driver_id, attempt.number, attempt.started_at, attempt.arrived_at, attempt.ended_at, attempt.due_at,
              attempt.eta, attempt.estimated_delivery_at, attempt.depot_id, attempt.route_id, attempt.town,
              (attempt.outcome = 'completed')::integer as is_completed, 0 as is_returned,
              coalesce(attempt.owner_id, (select packages.owner_id from packages where packages.id = attempt.package_id)) as owner_id
            from delivery_attempts attempt
            -- Zones are at most 14 hours ahead of UTC, and 12 behind.
            where attempt.outcome in ('completed', 'failed') and attempt.ended_at >= (asked.day::timestamp - interval '14 hours') at time zone 'UTC'
              and attempt.ended_at < (asked.day::timestamp + interval '36 hours') at time zone 'UTC'
              and coalesce(attempt.day, (attempt.ended_at at time zone 'UTC')::date) = asked.day
            union all
            select returned.package_id, returned.driver_id, 0, returned.started_at, null, returned.ended_at, null,
              null, null, returned.depot_id, returned.route_id, returned.town, 0, 1, returned.owner_id
            from (
              select p.id as package_id, e.driver_id, e.owner_id, p.started_at, p.returned_at as ended_at, p.route_id,
                depots.id as depot_id, nullif(btrim(p.address_city), '') as town,
                (p.returned_at at time zone coalesce(depots.time_zone, (select time_zone from settings), 'UTC'))::date as day
              from packages p
                -- Package by package, so in its month alone (`offset 0`): joined, the returns of all months were read.
                cross join lateral (select e.driver_id, e.owner_id from package_events e where e.package_id = p.id and e.type = 'package.returned' offset 0) e
                left join routes on routes.id = p.route_id left join depots on depots.id = coalesce(routes.depot_id, p.depot_id)
              where p.returned_at >= (asked.day::timestamp - interval '14 hours') at time zone 'UTC'
                and p.returned_at < (asked.day::timestamp + interval '36 hours') at time zone 'UTC'
            ) returned
            where returned.day = asked.day
          ) of_day
        ) ordered
      ) timed
    ), the_day_before as materialized (
      -- Read once for all who were on the road as the day began, and not at all for nobody. What ended before they set out changes nothing.
      select ended.driver_id, max(ended.ended_at) as ended_at from (
        select attempt.driver_id, attempt.ended_at, coalesce(attempt.day, (attempt.ended_at at time zone 'UTC')::date) as day
        from delivery_attempts attempt
        where attempt.outcome in ('completed', 'failed') and attempt.ended_at >= (asked.day::timestamp - interval '38 hours') at time zone 'UTC'
          and attempt.ended_at >= (select min(of_driver.carried_from) from of_driver where of_driver.is_over_midnight)
          and attempt.ended_at < (asked.day::timestamp + interval '12 hours') at time zone 'UTC'
        union all
        select packages.driver_id, packages.returned_at,
          (packages.returned_at at time zone coalesce(depots.time_zone, (select time_zone from settings), 'UTC'))::date
        from packages left join routes on routes.id = packages.route_id left join depots on depots.id = coalesce(routes.depot_id, packages.depot_id)
        where packages.returned_at >= (asked.day::timestamp - interval '38 hours') at time zone 'UTC'
          and packages.returned_at >= (select min(of_driver.carried_from) from of_driver where of_driver.is_over_midnight)
          and packages.returned_at < (asked.day::timestamp + interval '12 hours') at time zone 'UTC'
      ) ended where ended.day < asked.day and (select bool_or(of_driver.is_over_midnight) from of_driver) group by 1
    )
    select of_driver.*, the_day_before.ended_at as ended_the_day_before
    from of_driver left join the_day_before on of_driver.is_over_midnight and the_day_before.driver_id = of_driver.driver_id
  ) a;
end $$;
