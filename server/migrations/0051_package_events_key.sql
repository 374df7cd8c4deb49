-- serves 0.2.0
-- By package first, so that a package's history is one place of the index and the table could be distributed by package. `at` makes nothing
-- more unique: parts by month need what they are parted by in the key.
create unique index concurrently if not exists package_events_key on package_events (package_id, id, at);
-- Jobs name an event by its number.
create index concurrently if not exists package_events_id on package_events (id);
drop index concurrently if exists package_events_of_accounts;
alter table package_events validate constraint package_events_have_a_package;
