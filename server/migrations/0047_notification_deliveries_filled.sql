-- serves 0.2.0
-- in steps: a statement is repeated until it changes nothing more
-- What arrived before there were deliveries, 5,000 at a time, from the newest on: what comes in meanwhile is newer still.
insert into notification_deliveries (id, channel, event_id, type, at, package_id, incident_number, user_id, notification_id, state, attempts)
select id, 'in-app', event_id, type, created_at, package_id, incident_number, user_id, id, 'delivered', attempts
from notifications
where id < coalesce((select id from notification_deliveries order by id limit 1), 'ffffffff-ffff-ffff-ffff-ffffffffffff')
order by id desc limit 5000
on conflict do nothing;
-- What the walk has passed by, since the clock of another server was behind.
insert into notification_deliveries (id, channel, event_id, type, at, package_id, incident_number, user_id, notification_id, state, attempts)
select id, 'in-app', event_id, type, created_at, package_id, incident_number, user_id, id, 'delivered', attempts
from notifications told
where not exists (select from notification_deliveries d where d.notification_id = told.id and d.channel = 'in-app') limit 5000
on conflict do nothing;
