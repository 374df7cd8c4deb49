-- serves 0.2.0
-- What people type to find a package, more of it than before: its reference, its address, a contact with letters in it, such as an
-- e-mail address, and the recipient's phone number. The latter stands apart, as digits alone: a number is looked for by its beginning or its end, and in the
-- text its digits would make every search for other digits dear. '' where there is none; null in rows from before.
alter table package_search add column phone text;

create function package_search_text(pkg packages) returns text
  language sql immutable
  return lower(
    pkg.name || ' ' || substr(pkg.tracking_id, 5) || ' ' || pkg.recipient_name
    || coalesce(' ' || pkg.reference, '')
    || coalesce(' ' || (pkg.address ->> 'street'), '')
    || coalesce(', ' || (pkg.address ->> 'postalCode'), case when pkg.address is null then '' else ',' end)
    || coalesce(' ' || (pkg.address ->> 'city'), '')
    || coalesce(', ' || (pkg.address ->> 'country'), '')
    || case when pkg.recipient_contact ~ '[[:alpha:]]' then ' ' || pkg.recipient_contact else '' end
  );

-- With the country's code where one was written, else with the 0 that stands for it. '+49 (0)170' is '+49 170'.
create function phone_digits(contact text) returns text
  language sql immutable
  return coalesce(regexp_replace(
    regexp_replace(regexp_replace(contact, '^((?:\+|00)[^(]*)\(0\)', '\1'), '[^0-9]', '', 'g'), '^00', ''), '');

-- What is left without the country's code, or the 0 in its place. E.164 gives no code that another begins with.
create function national_digits(phone text) returns text
  language sql immutable
  return regexp_replace(phone, '^(?:0|[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|(?:2[1-689]|3[578]|42|5[09]|6[7-9]|8[035789]|9[679])[0-9])', '');

create or replace function keep_package_search() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into package_search (owner_id, package_id, text, phone)
      values (new.owner_id, new.id, package_search_text(new), phone_digits(new.recipient_contact));
  elsif tg_op = 'UPDATE' then
    update package_search
      set owner_id = new.owner_id, text = package_search_text(new), phone = phone_digits(new.recipient_contact)
      where owner_id = old.owner_id and package_id = old.id
        and (owner_id, text, phone)
          is distinct from (new.owner_id, package_search_text(new), phone_digits(new.recipient_contact));
  else
    delete from package_search where owner_id = old.owner_id and package_id = old.id;
  end if;
  return null;
end $$;
create or replace trigger keep_package_search
  after insert or delete or update of owner_id, name, tracking_id, recipient_name, recipient_contact, address, reference on packages
  for each row execute function keep_package_search();
