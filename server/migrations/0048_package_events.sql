-- serves 0.2.0
-- What happened to packages, apart from what happened to accounts: the first is kept by package and grows for ever, the second belongs to
-- the audit log. Both have their numbers from one sequence, since jobs and notifications name an event by its number alone.
alter table notifications drop constraint notifications_event_id_fkey;
create sequence event_ids;
select setval('event_ids', last_value, is_called) from events_id_seq;

drop trigger tell_of_older_writers on events;
drop function tell_of_older_writers();
alter table events rename to package_events;
alter table package_events alter column id drop identity;
alter table package_events alter column id set default nextval('event_ids');
-- Those of accounts are moved by the files after this one; none comes any more.
alter table package_events add constraint package_events_have_a_package check (package_id is not null) not valid;

-- The part of the audit log that no hash chains: to write it waits for nobody. Ids only, as there.
create table account_events (
  id bigint primary key default nextval('event_ids'),
  type text not null,
  at timestamptz not null,
  actor_id uuid,
  user_id uuid,
  changes jsonb,
  message_number integer
);
create index account_events_user on account_events (user_id, id desc);

-- Which event a row tells of; null for a signal. Servers of version 0.2.0 go by it.
alter table outbox add column event_id bigint unique;
-- What those may not have read yet: they read when they are woken, and every 3 s. Where one transaction wrote the same twice, by the order.
set local enable_nestloop = off;
with told as (
  select id, xid, type, package_id, user_id, row_number() over (partition by xid, type, package_id, user_id order by id) as n
  from outbox
  where at > now() - interval '15 seconds'
    and type not in ('session.started', 'session.ended', 'notification.created', 'notification.read', 'import.progressed')
), written as (
  select id, xid, type, package_id, user_id, row_number() over (partition by xid, type, package_id, user_id order by id) as n
  from package_events where xid = any(array(select distinct xid from told))
)
update outbox set event_id = written.id
from told join written on written.xid = told.xid and written.type = told.type and written.n = told.n
  and written.package_id is not distinct from told.package_id and written.user_id is not distinct from told.user_id
where outbox.id = told.id;
set local enable_nestloop to default;
alter table package_events drop column xid;

-- `events` as servers of version 0.2.0 know it, with the number of the transaction, by which they read, for as long as the outbox has it.
-- Signals are in the outbox alone, under numbers below zero. To be dropped once version 0.2.0 is served no longer.
create view events as
select e.id, o.xid, e.type, e.at, e.actor_id, e.package_id, e.status, e.location, e.note, e.owner_id, e.driver_id, e.previous_driver_id,
  e.user_id, e.session_id, e.incident_number, e.changes, e.import_id, e.message_number, e.shown
from package_events e left join outbox o on o.event_id = e.id
union all
select e.id, o.xid, e.type, e.at, e.actor_id, null, null, null, null, null, null, null,
  e.user_id, null, null, e.changes, null, e.message_number, null
from account_events e left join outbox o on o.event_id = e.id
union all
select -o.id, o.xid, o.type, o.at, null, null, null, null, null, null, null, null, o.user_id, o.session_id, null, null, o.import_id, null, null
from outbox o where o.event_id is null and o.package_id is null;

create function add_event_of_older_server() returns trigger language plpgsql as $$
declare
  is_signal boolean := new.type in
    ('session.started', 'session.ended', 'notification.created', 'notification.read', 'import.progressed');
begin
  new.id := coalesce(new.id, nextval('event_ids'));
  if current_setting('waybill.writes_outbox', true) is distinct from 'on' then
    insert into outbox (event_id, xid, type, package_id, owner_id, driver_id, previous_driver_id, incident_number, user_id, session_id, import_id)
    values (case when not is_signal then new.id end, coalesce(new.xid, pg_current_xact_id()), new.type, new.package_id, new.owner_id,
      new.driver_id, new.previous_driver_id, new.incident_number, new.user_id, new.session_id, new.import_id);
  end if;
  if new.package_id is not null then
    insert into package_events (id, type, at, actor_id, package_id, status, location, note, owner_id, driver_id, previous_driver_id,
      incident_number, changes, shown)
    values (new.id, new.type, new.at, new.actor_id, new.package_id, new.status, new.location, new.note, new.owner_id, new.driver_id,
      new.previous_driver_id, new.incident_number, new.changes, new.shown);
  elsif not is_signal then
    insert into account_events (id, type, at, actor_id, user_id, changes, message_number)
    values (new.id, new.type, new.at, new.actor_id, new.user_id, new.changes, new.message_number);
  end if;
  return new;
end $$;
create trigger add_event_of_older_server instead of insert on events for each row execute function add_event_of_older_server();

-- They take recipients and deleted users out of the history, and numbers of another PostgreSQL server.
create function change_event_of_older_server() returns trigger language plpgsql as $$
begin
  if new.xid is distinct from old.xid then
    update outbox set xid = coalesce(new.xid, '0') where event_id = old.id or id = -old.id;
  end if;
  update package_events set location = new.location, note = new.note, changes = new.changes
  where package_id = old.package_id and id = old.id and (location, note, changes) is distinct from (new.location, new.note, new.changes);
  return new;
end $$;
create trigger change_event_of_older_server instead of update on events for each row execute function change_event_of_older_server();

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
        select from package_events before where before.package_id = e.package_id and before.type = 'package.cancelled')))::int as withdrawn,
      (e.type = 'package.deleted')::int as deleted,
      0 as completed, 0 as failed, 0 as first_attempts, 0 as first_completed, 0 as delivery_ms,
      0 as completed_before, 0 as completed_on_day, 0 as completed_day_after,
      (e.type = 'issue.reported')::int as issues_opened,
      (e.type = 'incident.resolved')::int as issues_resolved,
      0 as ratings, 0 as stars
    from package_events e
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
    from package_events e join packages p on p.id = e.package_id where e.type = 'package.rated'
  ) facts
  group by 1;
end $$;
