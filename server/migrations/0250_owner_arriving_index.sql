-- serves 0.2.0
-- What an owner has on the road, by expected arrival: the first stage of their list.
create index concurrently if not exists packages_owner_arriving on packages (owner_id, coalesce(estimated_delivery_at, 'infinity'), id)
  include (status) where status in ('in transit', 'out for delivery');
