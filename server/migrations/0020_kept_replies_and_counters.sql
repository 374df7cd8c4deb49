-- serves 0.2.0
-- What a kept reply is about, so that it can go when that goes, and be refused to whoever may not see it any more.
alter table idempotency_keys add column subject_id uuid;

-- Counters are not worth a write-ahead log: they survive restarts of the application and orderly ones of PostgreSQL. After a
-- crash of PostgreSQL, and on a standby that takes over, all of them begin anew: whoever was over a limit gets one round more.
alter table rate_limits set unlogged;
