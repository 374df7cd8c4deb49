-- What a kept reply is about, so that it can go when that goes, and be refused to whoever may not see it any more.
alter table idempotency_keys add column subject_id uuid;
create index idempotency_keys_subject on idempotency_keys (subject_id) where subject_id is not null;

-- Counters are not worth a write-ahead log: they survive restarts of the application and orderly ones of PostgreSQL. After a
-- crash of PostgreSQL, and on a standby that takes over, all of them begin anew: whoever was over a limit gets one round more.
alter table rate_limits set unlogged;
