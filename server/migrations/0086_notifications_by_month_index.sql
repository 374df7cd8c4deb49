-- serves 0.3.0
-- post-deployment
create unique index concurrently if not exists notifications_by_month on notifications (user_id, event_id, created_at);
create unique index concurrently if not exists notification_deliveries_by_month on notification_deliveries (id, at);
create unique index concurrently if not exists notification_deliveries_before_once on notification_deliveries (notification_id, channel, at);
alter table notifications validate constraint notifications_bound;
alter table notification_deliveries validate constraint notification_deliveries_bound;
