-- serves 0.2.0
-- in steps: a statement is repeated until it changes nothing more
-- What was there before is written anew, 2,000 packages at a time: whoever changes one of them meanwhile waits for these alone.
-- Packages are locked first and their texts after them, as the trigger does.
update package_search found set text = behind.text, phone = behind.phone
from (
  select p.owner_id, p.id, package_search_text(p) as text, phone_digits(p.recipient_contact) as phone
  from packages p
  where (p.owner_id, p.id) in (select owner_id, package_id from package_search where phone is null limit 2000)
  order by p.id for share
) behind
where found.owner_id = behind.owner_id and found.package_id = behind.id;
