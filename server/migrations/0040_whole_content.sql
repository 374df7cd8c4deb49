-- serves 0.2.0
-- All that a row can say: also what the driver is told and whether the sender is named. Two rows that differ in nothing else are two
-- packages.
create function package_content(reference text, name text, description text, category text, weight_kg double precision,
    dimensions_cm jsonb, recipient_name text, recipient_contact text, location text, eta date, address jsonb, window_from timestamptz,
    window_to timestamptz, handling jsonb, hide_recipient boolean, instructions text, show_sender boolean) returns bigint
  language sql immutable
  return hash_record_extended(row(reference, name, description, category, weight_kg, dimensions_cm, recipient_name, recipient_contact,
    location, eta, address, window_from, window_to, handling, hide_recipient, instructions, show_sender), 0);

create or replace function keep_registered_content() returns trigger language plpgsql as $$
begin
  if new.recipient_removed then
    new.registered_content := null;
  elsif old.registered_content is null then
    new.registered_content := nullif(
      package_content(old.reference, old.name, old.description, old.category, old.weight_kg, old.dimensions_cm, old.recipient_name,
        old.recipient_contact, old.location, old.eta, old.address, old.window_from, old.window_to, old.handling, old.hide_recipient,
        old.instructions, old.show_sender),
      package_content(new.reference, new.name, new.description, new.category, new.weight_kg, new.dimensions_cm, new.recipient_name,
        new.recipient_contact, new.location, new.eta, new.address, new.window_from, new.window_to, new.handling, new.hide_recipient,
        new.instructions, new.show_sender));
  end if;
  return new;
end $$;
drop trigger keep_registered_content on packages;
create trigger keep_registered_content before update of reference, name, description, category, weight_kg, dimensions_cm, recipient_name,
    recipient_contact, location, eta, address, window_from, window_to, handling, hide_recipient, instructions, show_sender,
    recipient_removed
  on packages for each row execute function keep_registered_content();
