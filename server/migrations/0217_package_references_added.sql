-- serves 0.2.0
-- in steps: a statement is repeated until it changes nothing more
-- The locks wait for whoever changes a package, and are read anew then: what gives its reference back meanwhile is not added.
with batch as (
  select id, owner_id, reference, status from packages
  where id > (select up_to from package_references_added) order by id limit 5000 for share
), added as (
  insert into package_references (owner_id, reference, package_id)
  select owner_id, reference, id from batch where reference is not null and status not in ('cancelled', 'inactive') on conflict do nothing
)
update package_references_added set up_to = (select id from batch order by id desc limit 1) where exists (select from batch);
