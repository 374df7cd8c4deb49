-- serves 0.2.0
-- in steps: a statement is repeated until it changes nothing more
-- 2,000 packages at a time, in the order of their ids. The trigger carry_package_columns fills the new columns. The setting is that of servers
-- that write what is derived from packages: nothing of it changes here, above all no public view becomes stale.
with batch as materialized (
  select id, set_config('waybill.writes_packages', 'on', true) as writes
  from packages where id > (select up_to from package_columns_filled) order by id limit 2000
), filled as (
  update packages set weight = null from batch
  where packages.id = batch.id and packages.weight is null and batch.writes = 'on'
)
update package_columns_filled set up_to = (select id from batch order by id desc limit 1)
where exists (select from batch);
alter table packages validate constraint packages_have_weight;
