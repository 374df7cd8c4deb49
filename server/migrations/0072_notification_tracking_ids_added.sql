-- serves 0.2.0
-- in steps: 5,000 rows at a time in the order of their ids, so that no step looks again at what those before have done
with batch as (
  select id, package_id from notifications where id > (select notifications from tracking_ids_added) order by id limit 5000
), added as (
  update notifications n set tracking_id = p.tracking_id
  from batch join packages p on p.id = batch.package_id
  where n.id = batch.id and n.tracking_id is null
)
update tracking_ids_added set notifications = (select id from batch order by id desc limit 1)
where exists (select from batch);
with batch as (
  select id, package_id from notification_deliveries where id > (select deliveries from tracking_ids_added) order by id limit 5000
), added as (
  update notification_deliveries d set tracking_id = p.tracking_id
  from batch join packages p on p.id = batch.package_id
  where d.id = batch.id and d.tracking_id is null
)
update tracking_ids_added set deliveries = (select id from batch order by id desc limit 1)
where exists (select from batch);
