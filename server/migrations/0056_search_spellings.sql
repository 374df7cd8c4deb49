-- serves 0.2.0
-- What is written in several ways is found by each: 'straße', 'strasse', 'str.' and other words with ß, and postcodes without what
-- separates their parts. The text has both, as it was written and in one way for all, since a server of the version before asks for the
-- former. What somebody types is put the same way in server/src/packages/search.ts.
create function search_spelling(text text) returns text
  language sql immutable parallel safe
  return regexp_replace(
    regexp_replace(replace(text, 'ß', 'ss'), 'str\.(?=[[:alnum:]])', 'strasse ', 'g'), 'str(?:\.|\M)', 'strasse', 'g');

create function package_search_words(pkg packages, postal_code text) returns text
  language sql immutable parallel safe
  return lower(
    pkg.name || ' ' || substr(pkg.tracking_id, 5) || ' ' || pkg.recipient_name
    || coalesce(' ' || pkg.reference, '')
    || coalesce(' ' || (pkg.address ->> 'street'), '')
    || coalesce(', ' || postal_code, case when pkg.address is null then '' else ',' end)
    || coalesce(' ' || (pkg.address ->> 'city'), '')
    || coalesce(', ' || (pkg.address ->> 'country'), '')
    || case when pkg.recipient_contact ~ '[[:alpha:]]' then ' ' || pkg.recipient_contact else '' end
  );

create or replace function package_search_text(pkg packages) returns text
  language sql immutable
  return package_search_words(pkg, pkg.address ->> 'postalCode') || coalesce(E'\n' || nullif(
    search_spelling(package_search_words(pkg, regexp_replace(pkg.address ->> 'postalCode', '[^[:alnum:]]', '', 'g'))),
    package_search_words(pkg, pkg.address ->> 'postalCode')), '');

-- Up to which package the texts from before have been written anew.
create table package_search_respelled (up_to uuid not null);
insert into package_search_respelled values ('00000000-0000-0000-0000-000000000000');
