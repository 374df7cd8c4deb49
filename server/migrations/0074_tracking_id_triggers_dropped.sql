-- serves 0.3.0
-- post-deployment
drop trigger add_tracking_id on notifications;
drop trigger add_tracking_id on notification_deliveries;
drop function add_tracking_id();
