-- serves 0.2.0
create index concurrently if not exists packages_content_hash on packages (owner_id, content_hash(reference, name, description, category,
  weight, dimensions_cm, recipient_name, recipient_contact, location, eta, address_street, address_postal_code, address_city,
  address_country, window_from, window_to, handling_fragile, handling_keep_upright, handling_refrigerated, handling_signature_required,
  handling_safe_place, hide_recipient, instructions, show_sender));
-- By the columns of before, which no released version looks for.
drop index concurrently if exists packages_whole_content;
