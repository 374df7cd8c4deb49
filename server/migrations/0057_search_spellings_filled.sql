-- serves 0.2.0
-- in steps: a statement is repeated until it changes nothing more
-- Texts from before, 2,000 packages at a time in the order of their ids, so that no step looks again at what those before have done.
-- Packages are locked first and their texts after them, as the trigger does.
with batch as (
  select p.owner_id, p.id, package_search_text(p) as text
  from packages p
  where p.id > (select up_to from package_search_respelled)
  order by p.id limit 2000 for share
), respelled as (
  update package_search found set text = batch.text
  from batch
  where found.owner_id = batch.owner_id and found.package_id = batch.id and found.text is distinct from batch.text
)
update package_search_respelled set up_to = (select id from batch order by id desc limit 1)
where exists (select from batch);
