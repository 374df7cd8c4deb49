-- serves 0.2.0
-- What tells one package from another where neither has a reference: all that its owner wrote, as one number. Both the rows of an import
-- and the packages that are there go through it, so they cannot be read differently.
create function package_content(reference text, name text, description text, category text, weight_kg double precision,
    dimensions_cm jsonb, recipient_name text, recipient_contact text, location text, eta date, address jsonb, window_from timestamptz,
    window_to timestamptz, handling jsonb, hide_recipient boolean) returns bigint
  language sql immutable
  return hash_record_extended(row(reference, name, description, category, weight_kg, dimensions_cm, recipient_name, recipient_contact,
    location, eta, address, window_from, window_to, handling, hide_recipient), 0);

-- The content that it was registered with, once it has another: a street that was mended here, a location that its driver reported.
-- The row of the file that it was made of is known by it again.
alter table packages add column registered_content bigint;

-- By the database: whatever changes packages, an older server as well, keeps it. It goes with the recipient's name and address, which
-- could be guessed by it.
create function keep_registered_content() returns trigger language plpgsql as $$
begin
  if new.recipient_removed then
    new.registered_content := null;
  elsif old.registered_content is null then
    new.registered_content := nullif(
      package_content(old.reference, old.name, old.description, old.category, old.weight_kg, old.dimensions_cm, old.recipient_name,
        old.recipient_contact, old.location, old.eta, old.address, old.window_from, old.window_to, old.handling, old.hide_recipient),
      package_content(new.reference, new.name, new.description, new.category, new.weight_kg, new.dimensions_cm, new.recipient_name,
        new.recipient_contact, new.location, new.eta, new.address, new.window_from, new.window_to, new.handling, new.hide_recipient));
  end if;
  return new;
end $$;
create trigger keep_registered_content before update of reference, name, description, category, weight_kg, dimensions_cm, recipient_name,
    recipient_contact, location, eta, address, window_from, window_to, handling, hide_recipient, recipient_removed
  on packages for each row execute function keep_registered_content();

alter table package_imports add column skipped integer not null default 0, add column ignored_columns text[] not null default '{}';

-- A row of the file whose package was there already, and by what it was known.
create table package_import_skips (
  import_id uuid not null references package_imports on delete cascade,
  line integer not null,
  reason text not null,
  primary key (import_id, line)
);
