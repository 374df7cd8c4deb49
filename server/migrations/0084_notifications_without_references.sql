-- serves 0.3.0
-- post-deployment: servers of version 0.2.0 leave it to the database to delete the deliveries of a notification
-- With foreign keys, a drop of a month would lock the referenced table against everybody. Users are never deleted, and whoever deletes a
-- notification deletes its deliveries. Users first, as jobs lock them: the other way round each would wait for the other.
lock table users in access exclusive mode;
alter table notifications drop constraint notifications_user_id_fkey;
alter table notification_deliveries drop constraint notification_deliveries_notification_id_fkey;
