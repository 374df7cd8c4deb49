-- serves 0.2.0
-- Replies that are kept about something, to be removed with it.
create index concurrently if not exists idempotency_keys_subject on idempotency_keys (subject_id) where subject_id is not null;

-- What retention looks for each hour among what was never delivered, found without reading what stays.
create index concurrently if not exists packages_recipient_undelivered on packages (updated_at)
  where status <> 'delivered' and not recipient_removed;

-- Pictures of what was cancelled or deleted that still lie in the public folder.
create index concurrently if not exists images_to_move on images (name) where withdrawn and folder = 'packages';

-- Deliveries under way by when they are due: how many are overdue is asked for every few seconds by whoever watches over the server.
create index concurrently if not exists packages_due on packages
  ((coalesce(window_to, (eta + 1)::timestamp at time zone 'UTC')))
  where status in ('processing', 'in transit', 'out for delivery');
