-- serves 0.2.0
-- Lists in another order than the newest first. An owner's packages have the status first: lists merge the pages of several statuses.
create index concurrently if not exists packages_owner_updated on packages (owner_id, status, updated_at, id);
create index concurrently if not exists packages_owner_due on packages
  (owner_id, status, (coalesce(window_to, (eta + 1)::timestamp at time zone 'UTC', 'infinity')), id)
  where status in ('processing', 'in transit', 'out for delivery');
create index concurrently if not exists packages_updated on packages (updated_at, id);

create index concurrently if not exists users_name on users (lower(name), id) where deleted_at is null;
create index concurrently if not exists users_status on users (status, id desc) where deleted_at is null;
create index concurrently if not exists users_last_login on users ((coalesce(last_login_at, '-infinity')), id) where deleted_at is null;
