-- What people type to find a package: its name, its tracking ID and its recipient, in lower case. Without the 'PKG-' that all
-- IDs begin with: what is in every row tells none from another, and is dear to look for.
create function package_search_text(name text, tracking_id text, recipient_name text) returns text
  language sql immutable
  return lower(name || ' ' || substr(tracking_id, 5) || ' ' || recipient_name);

-- Apart from the packages, so that a change of status touches no trigram, and in parts by owner: one index over a million
-- packages makes everybody's search as slow as the largest owner's.
create table package_search (
  owner_id uuid not null,
  package_id uuid not null,
  text text not null,
  primary key (owner_id, package_id)
) partition by hash (owner_id);
do $$
begin
  for part in 0..15 loop
    execute format('create table package_search_%s partition of package_search for values with (modulus 16, remainder %s)', part, part);
  end loop;
end $$;
create index package_search_text on package_search using gin (owner_id, text gin_trgm_ops);

insert into package_search select owner_id, id, package_search_text(name, tracking_id, recipient_name) from packages;

-- By the database: whatever writes packages, an import or an erasure as well, keeps their text true.
create function keep_package_search() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into package_search values (new.owner_id, new.id, package_search_text(new.name, new.tracking_id, new.recipient_name));
  elsif tg_op = 'UPDATE' then
    update package_search
      set owner_id = new.owner_id, text = package_search_text(new.name, new.tracking_id, new.recipient_name)
      where owner_id = old.owner_id and package_id = old.id
        and (owner_id, text) is distinct from (new.owner_id, package_search_text(new.name, new.tracking_id, new.recipient_name));
  else
    delete from package_search where owner_id = old.owner_id and package_id = old.id;
  end if;
  return null;
end $$;
create trigger keep_package_search after insert or delete or update of owner_id, name, tracking_id, recipient_name on packages
  for each row execute function keep_package_search();

drop index packages_search;
alter table packages drop column search;
