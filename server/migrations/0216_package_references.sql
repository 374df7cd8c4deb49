-- serves 0.2.0
-- A directory: which package of an owner has a reference. Its key holds where packages are distributed by their id, so that a unique index
-- of (owner_id, reference) could not be (docs/scale.md). `public_views` is that of tracking IDs. What was cancelled or deleted has given
-- its reference back.
create table package_references (
  owner_id uuid not null,
  reference text not null,
  package_id uuid not null,
  primary key (owner_id, reference)
);

-- Servers with the statements of server/src/packages/store.ts write it by themselves.
create function keep_package_reference() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    delete from package_references where owner_id = old.owner_id and reference = old.reference and package_id = old.id;
  end if;
  if tg_op <> 'DELETE' then
    insert into package_references (owner_id, reference, package_id)
      select new.owner_id, new.reference, new.id where new.reference is not null and new.status not in ('cancelled', 'inactive')
      on conflict (owner_id, reference) do update set package_id = excluded.package_id;
  end if;
  return null;
end $$;
create trigger keep_package_reference after insert or delete or update of reference, status on packages for each row
  when (current_setting('waybill.writes_packages', true) is distinct from 'on') execute function keep_package_reference();

-- Up to which package references have been added.
create table package_references_added (up_to uuid not null);
insert into package_references_added values ('00000000-0000-0000-0000-000000000000');
