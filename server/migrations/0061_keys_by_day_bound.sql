-- serves 0.3.0
-- post-deployment: servers of version 0.2.0 store replies by a unique key without the day
-- What is there becomes the first partition, without being copied: it ends in 8 days, which leaves time to finish should the next files
-- be interrupted.
do $$
begin
  execute format('alter table idempotency_keys add constraint idempotency_keys_bound check (created_at < %L) not valid',
    date_trunc('day', now(), 'UTC') + interval '8 days');
end $$;
