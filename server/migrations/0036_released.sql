-- serves 0.2.0
-- How many deliveries were taken back from their drivers without an attempt: counted live, since they are few.
create index concurrently if not exists events_released on events (at, id) where type = 'delivery.released';
