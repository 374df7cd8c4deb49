-- What retention looks for each hour among what was never delivered, found without reading what stays.
create index packages_recipient_undelivered on packages (updated_at) where status <> 'delivered' and not recipient_removed;
