-- serves 0.2.0
-- in steps: a statement is repeated until it changes nothing more
with batch as (
  select id, tracking_id from packages where id > (select up_to from public_views_added) order by id limit 5000
), added as (
  insert into public_views (tracking_id, package_id, stale) select tracking_id, id, true from batch on conflict do nothing
)
update public_views_added set up_to = (select id from batch order by id desc limit 1) where exists (select from batch);
