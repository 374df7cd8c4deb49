-- Whether what was kept about the recipient has been removed, long enough after the delivery.
alter table packages add column recipient_removed boolean not null default false;
-- What retention looks for each hour, found without reading what stays.
create index packages_recipient_kept on packages (completed_at) where status = 'delivered' and not recipient_removed;
create index notifications_read on notifications (read_at) where read_at is not null;
