-- serves 0.2.0
-- A server remembers the sum of the figures that lie more than two days back, and reads only what came since. The version says whether that
-- sum is still right: whatever changes a row that lies more than a day back (a late delta that is rolled up, a recount, a repair) replaces it
-- in the same transaction. The day between the two bounds is for transactions that are open while the sum is read. By the database, since
-- an older server that is still running rolls up as well. Random, not counted: no two databases have a version in common.
create table figures_version (
  only_row boolean primary key default true check (only_row),
  version uuid not null default gen_random_uuid()
);
insert into figures_version default values;

create function replace_figures_version() returns trigger language plpgsql as $$
begin
  if exists (select from changed where at < clock_timestamp() - interval '1 day') then
    update figures_version set version = gen_random_uuid();
  end if;
  return null;
end $$;
create trigger replace_version_after_insert after insert on figures referencing new table as changed
  for each statement execute function replace_figures_version();
create trigger replace_version_after_update_from after update on figures referencing old table as changed
  for each statement execute function replace_figures_version();
create trigger replace_version_after_update_to after update on figures referencing new table as changed
  for each statement execute function replace_figures_version();
create trigger replace_version_after_delete after delete on figures referencing old table as changed
  for each statement execute function replace_figures_version();

create function replace_figures_version_always() returns trigger language plpgsql as $$
begin
  update figures_version set version = gen_random_uuid();
  return null;
end $$;
create trigger replace_version_after_truncate after truncate on figures
  for each statement execute function replace_figures_version_always();
