-- What was sent, as administrators look through it: by kind, and how much since a day. Without these each look reads all of it.
create index notifications_type on notifications (type, id desc);
create index notifications_created on notifications (created_at);
