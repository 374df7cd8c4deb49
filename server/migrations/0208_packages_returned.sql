-- serves 0.2.0
-- What went back to its owner, by when: the figures of a day read those of that day instead of all of all time.
create index concurrently if not exists packages_returned on packages (returned_at) where returned_at is not null;
