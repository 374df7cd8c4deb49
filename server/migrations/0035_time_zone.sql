-- serves 0.2.0
-- Where the organisation is.
alter table settings add column time_zone text;

-- Until when an attempt had to end to be on time, as it was then: whose days count, and the window beside the eta, may change. Null for
-- those of before, and of servers of 0.2.0: they stay judged by the day of their eta in the zone of whoever looks.
alter table delivery_attempts add column due_at timestamptz;

create or replace function recount_figures() returns void language plpgsql as $$
begin
  lock table figure_changes in share row exclusive mode;
  delete from figure_changes;
  delete from figures;
  insert into figures (at, created, started, withdrawn, deleted, completed, failed, first_attempts, first_completed, delivery_ms,
    completed_before, completed_on_day, completed_day_after, issues_opened, issues_resolved, ratings, stars)
  select date_bin('15 minutes', at, 'epoch'), sum(created), sum(started), sum(withdrawn), sum(deleted), sum(completed), sum(failed),
    sum(first_attempts), sum(first_completed), sum(delivery_ms), sum(completed_before), sum(completed_on_day), sum(completed_day_after),
    sum(issues_opened), sum(issues_resolved), sum(ratings), sum(stars)
  from (
    select e.at,
      (e.type = 'package.created')::int as created,
      (e.type = 'delivery.started' or (e.type = 'delivery.assigned' and e.previous_driver_id is null))::int as started,
      (e.type = 'package.cancelled' or (e.type = 'package.deleted' and not exists (
        select from events before where before.package_id = e.package_id and before.type = 'package.cancelled')))::int as withdrawn,
      (e.type = 'package.deleted')::int as deleted,
      0 as completed, 0 as failed, 0 as first_attempts, 0 as first_completed, 0 as delivery_ms,
      0 as completed_before, 0 as completed_on_day, 0 as completed_day_after,
      (e.type = 'issue.reported')::int as issues_opened,
      (e.type = 'incident.resolved')::int as issues_resolved,
      0 as ratings, 0 as stars
    from events e
    where e.type in ('package.created', 'delivery.started', 'delivery.assigned', 'package.cancelled', 'package.deleted',
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
    from events e join packages p on p.id = e.package_id where e.type = 'package.rated'
  ) facts
  group by 1;
end $$;
