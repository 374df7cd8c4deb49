-- serves 0.2.0
-- The recipient's own rating, beside the owner's; figures count both.
alter table packages
  add column recipient_stars integer,
  add column recipient_comment text,
  add column recipient_rated_at timestamptz;

create or replace function recounted_figures() returns setof figures language sql stable as $$
  select date_bin('15 minutes', at, 'epoch'), sum(created)::integer, sum(started)::integer, sum(withdrawn)::integer,
    sum(deleted)::integer, sum(completed)::integer, sum(failed)::integer, sum(first_attempts)::integer,
    sum(first_completed)::integer, sum(delivery_ms)::bigint, sum(completed_before)::integer, sum(completed_on_day)::integer,
    sum(completed_day_after)::integer, sum(issues_opened)::integer, sum(issues_resolved)::integer, sum(ratings)::integer,
    sum(stars)::integer
  from (
    select e.at,
      (e.type = 'package.created')::int as created,
      (e.type = 'delivery.started' or (e.type = 'delivery.assigned' and e.previous_driver_id is null))::int as started,
      (e.type in ('package.cancelled', 'package.returned') or (e.type = 'package.deleted' and not exists (
        select from package_events before where before.package_id = e.package_id and before.type in ('package.cancelled', 'package.returned'))))::int as withdrawn,
      (e.type = 'package.deleted')::int as deleted,
      0 as completed, 0 as failed, 0 as first_attempts, 0 as first_completed, 0 as delivery_ms,
      0 as completed_before, 0 as completed_on_day, 0 as completed_day_after,
      (e.type = 'issue.reported')::int as issues_opened,
      (e.type = 'incident.resolved')::int as issues_resolved,
      0 as ratings, 0 as stars
    from package_events e
    where e.type in ('package.created', 'delivery.started', 'delivery.assigned', 'package.cancelled', 'package.returned', 'package.deleted',
      'issue.reported', 'incident.resolved')
    union all
    select ended_at, 0, 0, 0, 0, completed, 1 - completed, (number = 1)::int, case when number = 1 then completed else 0 end,
      completed * round(extract(epoch from ended_at - started_at) * 1000),
      completed * (days_early > 0)::int, completed * (days_early = 0)::int, completed * (days_early = -1)::int,
      0, 0, 0, 0
    from delivery_attempts cross join lateral (
      select (outcome = 'completed')::int as completed,
        case when due_at is not null then case when ended_at <= due_at then 2 else -2 end
          when eta is not null then eta - (ended_at at time zone 'UTC')::date
          when ended_at <= estimated_delivery_at then 2 else -2 end as days_early
    ) judged
    union all
    select e.at, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, p.rating_stars
    from package_events e join packages p on p.id = e.package_id where e.type = 'package.rated'
      and not exists (select from package_events later where later.package_id = e.package_id and later.id > e.id
        and later.type = 'delivery.reopened')
    union all
    select e.at, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, p.recipient_stars
    from package_events e join packages p on p.id = e.package_id where e.type = 'package.rated-by-recipient'
      and not exists (select from package_events later where later.package_id = e.package_id and later.id > e.id
        and later.type = 'delivery.reopened')
  ) facts
  group by 1
$$;
