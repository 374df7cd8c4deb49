-- serves 0.2.0
-- What somebody is found by whose data are looked for, and that the search texts of packages leave out: an e-mail address and a number beside
-- the contact, and who accepted the package in place of its recipient. Words and expressions are those of persons-queries.ts.
create index concurrently if not exists packages_persons on packages using gin ((
    lower(coalesce(recipient_email, '') || ' ' || coalesce(received_by, '')) || ' ' || regexp_replace(coalesce(recipient_phone, ''), '[^0-9]', '', 'g')
  ) gin_trgm_ops)
  where not recipient_removed and (lower(recipient_email) <> lower(coalesce(recipient_contact, ''))
    or regexp_replace(recipient_phone, '[^0-9]', '', 'g') <> coalesce(phone_digits(recipient_contact), '')
    or lower(received_by) <> lower(recipient_name));
