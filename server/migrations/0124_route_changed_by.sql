-- serves 0.2.0
-- Who has changed a route last: told to whoever changes an older version of it.
alter table routes add column changed_by uuid;
