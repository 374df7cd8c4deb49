-- serves 0.3.0
-- post-deployment
-- One reply for each key is ensured by the lock that requests take before they look for it: the key of the table has to include the day.
-- Without the reference to users, whose rows are never deleted: to drop a partition with it would lock users against everybody.
alter table idempotency_keys rename to idempotency_keys_before;
alter table idempotency_keys_before drop constraint idempotency_keys_pkey, drop constraint idempotency_keys_user_id_fkey;
alter table idempotency_keys_before add constraint idempotency_keys_before_pkey primary key using index idempotency_keys_by_day;
drop index idempotency_keys_age;
create table idempotency_keys (
  like idempotency_keys_before including defaults,
  primary key (user_id, path, key, created_at)
) partition by range (created_at);
do $$
begin
  if exists (select from idempotency_keys_before) then
    execute format('alter table idempotency_keys attach partition idempotency_keys_before for values from (minvalue) to (%L)',
      (select substring(pg_get_constraintdef(oid) from $re$'([^']+)'$re$)::timestamptz
       from pg_constraint where conrelid = 'idempotency_keys_before'::regclass and conname = 'idempotency_keys_bound'));
    alter table idempotency_keys_before drop constraint idempotency_keys_bound;
  else
    drop table idempotency_keys_before;
  end if;
end $$;
create table idempotency_keys_default partition of idempotency_keys default;
