-- serves 0.2.0
-- When the driver arrived at the door, for the present attempt.
alter table packages add column arrived_at timestamptz;
-- What a driver's device reports has its time in `at` and `ended_at`. Then this is when the server got to know of it.
alter table package_events add column recorded_at timestamptz;
alter table delivery_attempts add column arrived_at timestamptz, add column recorded_at timestamptz;
