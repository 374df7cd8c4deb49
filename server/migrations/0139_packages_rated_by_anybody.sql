-- serves 0.2.0
-- The ratings of a driver, in which the recipient's stars take the place of the owner's.
create index concurrently if not exists packages_rated_by_anybody on packages (driver_id, (coalesce(recipient_stars, rating_stars)))
  where coalesce(recipient_stars, rating_stars) is not null;
