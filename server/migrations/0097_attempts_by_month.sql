-- serves 0.3.0
-- post-deployment
alter table delivery_attempts rename to delivery_attempts_before;
alter index delivery_attempts_pkey rename to delivery_attempts_before_pkey;
alter index delivery_attempts_ended rename to delivery_attempts_before_ended;
alter index delivery_attempts_id rename to delivery_attempts_before_id;
alter index delivery_attempts_late rename to delivery_attempts_before_late;
create table delivery_attempts (
  like delivery_attempts_before including defaults,
  constraint delivery_attempts_outcome_check check (outcome in ('completed', 'failed')),
  primary key (package_id, number)
) partition by range (package_id);
create index delivery_attempts_ended on delivery_attempts (outcome, ended_at, id);
create index delivery_attempts_id on delivery_attempts (id);
create index delivery_attempts_late on delivery_attempts (ended_at, id)
  where outcome = 'completed' and (due_at is null or ended_at > due_at);
do $$
begin
  if exists (select from delivery_attempts_before) then
    execute format('alter table delivery_attempts attach partition delivery_attempts_before for values from (minvalue) to (%L)',
      (select substring(pg_get_constraintdef(oid) from $re$'([^']+)'$re$) from pg_constraint where conname = 'delivery_attempts_bound'));
    alter table delivery_attempts_before drop constraint delivery_attempts_bound;
  else
    drop table delivery_attempts_before;
  end if;
end $$;
create table delivery_attempts_default partition of delivery_attempts default;
