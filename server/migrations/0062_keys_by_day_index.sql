-- serves 0.3.0
-- post-deployment
create unique index concurrently if not exists idempotency_keys_by_day on idempotency_keys (user_id, path, key, created_at);
alter table idempotency_keys validate constraint idempotency_keys_bound;
