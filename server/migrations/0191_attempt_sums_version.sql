-- serves 0.2.0
-- A server remembers what it added up from kept sums. The version says whether that is still right: whatever changes a kept sum replaces it in the
-- same transaction. Random, not counted: no two databases have a version in common.
create table attempt_sums_version (
  only_row boolean primary key default true check (only_row),
  version uuid not null default gen_random_uuid()
);
insert into attempt_sums_version default values;

create function replace_attempt_sums_version() returns trigger language plpgsql as $$
begin
  update attempt_sums_version set version = gen_random_uuid();
  return null;
end $$;
create trigger replace_version after insert or update or delete or truncate on attempt_sums
  for each statement execute function replace_attempt_sums_version();
create trigger replace_version after insert or update or delete or truncate on attempt_sum_spans
  for each statement execute function replace_attempt_sums_version();
