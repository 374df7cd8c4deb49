-- serves 0.2.0
alter table packages add column returned_at timestamptz;
-- Where an owner's packages go back to; all null without one.
alter table users add column return_street text, add column return_postal_code text, add column return_city text,
  add column return_country text;
-- A package that is collected is delivered without a driver. Validated in a later file, which blocks nobody.
do $$
declare
  old text := (select conname from pg_constraint where conrelid = 'packages'::regclass and contype = 'c'
    and pg_get_constraintdef(oid) like '%driver_id IS NOT NULL%');
begin
  execute format('alter table packages drop constraint %I', old);
end $$;
alter table packages add constraint packages_carried
  check (status not in ('in transit', 'out for delivery') or driver_id is not null) not valid;
