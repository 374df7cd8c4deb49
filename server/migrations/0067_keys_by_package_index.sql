-- serves 0.2.0
create unique index concurrently if not exists delivery_attempts_key on delivery_attempts (package_id, number);
-- The erasure of a driver reads the attempts in ranges of ids.
create index concurrently if not exists delivery_attempts_id on delivery_attempts (id);
create unique index concurrently if not exists incidents_key on incidents (package_id, number);
-- Whoever asks for an incident has its number alone.
create index concurrently if not exists incidents_number on incidents (number);
