-- serves 0.2.0
-- Rows of an import are looked for among the owner's packages by what they say now, and by what they said when they were registered.
create index concurrently if not exists packages_content on packages (owner_id, package_content(reference, name, description, category,
  weight_kg, dimensions_cm, recipient_name, recipient_contact, location, eta, address, window_from, window_to, handling, hide_recipient));
create index concurrently if not exists packages_registered_content on packages (owner_id, registered_content)
  where registered_content is not null;
