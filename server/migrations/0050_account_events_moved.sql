-- serves 0.2.0
-- in steps
-- Signals are kept nowhere any more.
with moved as (
  delete from package_events where id = any(array(select id from package_events where package_id is null order by id limit 10000)) and package_id is null
  returning id, type, at, actor_id, user_id, changes, message_number
), kept as (
  insert into account_events (id, type, at, actor_id, user_id, changes, message_number)
  select * from moved
  where type not in ('session.started', 'session.ended', 'notification.created', 'notification.read', 'import.progressed')
)
select from moved limit 1;
