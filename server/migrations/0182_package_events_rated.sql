-- serves 0.2.0
-- The rows behind the ratings of a figure, latest first: both kinds are in one order of time.
create index concurrently if not exists package_events_rated on package_events (at, id)
  where type in ('package.rated', 'package.rated-by-recipient');
