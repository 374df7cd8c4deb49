-- serves 0.2.0
-- The own figures of a driver or an owner.
create index concurrently if not exists attempt_sums_of_key on attempt_sums (by, key, day);
