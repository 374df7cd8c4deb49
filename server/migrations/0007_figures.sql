-- The end of each attempt to deliver, appended in the transaction that ended it, with what it is judged by as it was then.
-- Never changed: an edited package moves no figure.
create table delivery_attempts (
  id bigint generated always as identity primary key,
  package_id uuid not null references packages,
  number integer not null,
  driver_id uuid,
  started_at timestamptz not null,
  ended_at timestamptz not null,
  outcome text not null check (outcome in ('completed', 'failed')),
  eta date,
  estimated_delivery_at timestamptz not null,
  unique (package_id, number)
);

insert into delivery_attempts
  (package_id, number, driver_id, started_at, ended_at, outcome, eta, estimated_delivery_at)
select ended.package_id, row_number() over (partition by ended.package_id order by ended.id),
  coalesce(ended.driver_id, ended.previous_driver_id), begun.at, ended.at,
  case ended.type when 'delivery.completed' then 'completed' else 'failed' end, p.eta, begun.at + interval '6 hours'
from events ended
join packages p on p.id = ended.package_id
cross join lateral (
  select at from events
  where package_id = ended.package_id and id < ended.id and type in ('delivery.started', 'delivery.assigned')
  order by id desc limit 1
) begun
where ended.type in ('delivery.completed', 'delivery.failed')
order by ended.id;

-- The rows behind a figure of some days, newest first. A fact stands in at most one of these.
create index delivery_attempts_ended on delivery_attempts (outcome, ended_at, id);
create index events_created on events (at, id) where type = 'package.created';
create index events_started on events (at, id)
  where type = 'delivery.started' or (type = 'delivery.assigned' and previous_driver_id is null);
create index events_issues on events (type, at, id) where type in ('issue.reported', 'incident.resolved', 'package.rated');

-- What each fact adds to the figures (events/figures.ts), appended with it: no row that two transactions would have to share.
-- A few seconds later it is moved into `figures`; a figure is always the sum over both.
create table figure_changes (
  at timestamptz not null,
  created integer not null default 0,
  started integer not null default 0,
  -- Left processing for good without a driver: cancelled, or deleted before that.
  withdrawn integer not null default 0,
  deleted integer not null default 0,
  completed integer not null default 0,
  failed integer not null default 0,
  first_attempts integer not null default 0,
  first_completed integer not null default 0,
  delivery_ms bigint not null default 0,
  -- Of those completed: on a day in UTC before the one they were due, on that day, on the day after. What is on time in a viewer's
  -- zone, whose day may be one ahead or behind, follows from these and from when it was.
  completed_before integer not null default 0,
  completed_on_day integer not null default 0,
  completed_day_after integer not null default 0,
  issues_opened integer not null default 0,
  issues_resolved integer not null default 0,
  ratings integer not null default 0,
  stars integer not null default 0
);

-- The same by quarters of an hour: every zone of today is some quarters away from UTC, so that they add up to anybody's days.
create table figures (like figure_changes including all, primary key (at));

-- Makes the figures anew from the facts. Whoever is appending meanwhile is waited for, or waits: nothing is counted twice or lost.
create function recount_figures() returns void language plpgsql as $$
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
        case when eta is not null then eta - (ended_at at time zone 'UTC')::date
          when ended_at <= estimated_delivery_at then 2 else -2 end as days_early
    ) judged
    union all
    select e.at, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, p.rating_stars
    from events e join packages p on p.id = e.package_id where e.type = 'package.rated'
  ) facts
  group by 1;
end $$;

select recount_figures();
