-- serves 0.2.0
create index concurrently if not exists packages_whole_content on packages (owner_id, package_content(reference, name, description,
  category, weight_kg, dimensions_cm, recipient_name, recipient_contact, location, eta, address, window_from, window_to, handling,
  hide_recipient, instructions, show_sender));
-- By the shorter content, which no released version looks for.
drop index concurrently if exists packages_content;
