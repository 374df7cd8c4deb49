-- serves 0.2.0
drop table package_columns_filled;

-- What tells one package from another where neither has a reference: all that its owner wrote, as one number. Both the rows of an import
-- and the packages that are there go through it, so they cannot be read differently. Address and handling are hashed as the JSON that they
-- were stored as: packages.registered_content has hashes from then.
create function content_hash(reference text, name text, description text, category text, weight numeric, dimensions_cm jsonb,
    recipient_name text, recipient_contact text, location text, eta date, address_street text, address_postal_code text, address_city text,
    address_country text, window_from timestamptz, window_to timestamptz, handling_fragile boolean, handling_keep_upright boolean,
    handling_refrigerated boolean, handling_signature_required boolean, handling_safe_place text, hide_recipient boolean,
    instructions text, show_sender boolean) returns bigint
  language sql immutable parallel safe
  return hash_record_extended(row(reference, name, description, category, weight::double precision, dimensions_cm, recipient_name,
    recipient_contact, location, eta,
    case when address_street is not null then jsonb_object(array['street', address_street, 'postalCode', address_postal_code,
      'city', address_city, 'country', address_country]) end,
    window_from, window_to,
    ('{"fragile":' || handling_fragile::text || ',"keepUpright":' || handling_keep_upright::text
      || ',"refrigerated":' || handling_refrigerated::text || ',"signatureRequired":' || handling_signature_required::text || '}')::jsonb
      || jsonb_object(array['safePlace', handling_safe_place]),
    hide_recipient, instructions, show_sender), 0);

create or replace function package_search_words(pkg packages, postal_code text) returns text
  language sql immutable parallel safe
  return lower(
    pkg.name || ' ' || substr(pkg.tracking_id, 5) || ' ' || pkg.recipient_name
    || coalesce(' ' || pkg.reference, '')
    || coalesce(' ' || pkg.address_street, '')
    || coalesce(', ' || postal_code, case when pkg.address_street is null then '' else ',' end)
    || coalesce(' ' || pkg.address_city, '')
    || coalesce(', ' || pkg.address_country, '')
    || case when pkg.recipient_contact ~ '[[:alpha:]]' then ' ' || pkg.recipient_contact else '' end
  );
create or replace function package_search_text(pkg packages) returns text
  language sql immutable
  return package_search_words(pkg, pkg.address_postal_code) || coalesce(E'\n' || nullif(
    search_spelling(package_search_words(pkg, regexp_replace(pkg.address_postal_code, '[^[:alnum:]]', '', 'g'))),
    package_search_words(pkg, pkg.address_postal_code)), '');
