-- serves 0.2.0
-- in steps: a statement is repeated until it changes nothing more
-- The last failed attempt of a package belongs to its last event of one, and so on. Events are locked, so that a note that is redacted
-- meanwhile is read as it is then.
with batch as (
  select id, package_id, outcome from delivery_attempts where id > (select up_to from attempt_reasons_added) order by id limit 5000
), attempt as (
  select package_id, number, row_number() over (partition by package_id order by number desc) as place
  from delivery_attempts where package_id = any(array(select package_id from batch where batch.outcome = 'failed')) and outcome = 'failed'
), noted as (
  select attempt.package_id, attempt.number, e.note
  from attempt cross join lateral (
    select event.id from package_events event where event.package_id = attempt.package_id and event.type = 'delivery.failed'
    order by event.id desc limit 1 offset attempt.place - 1
  ) failed join package_events e on e.package_id = attempt.package_id and e.id = failed.id
  where e.note is not null for share of e
), added as (
  update delivery_attempts a set reason = noted.note from noted
  where a.package_id = noted.package_id and a.number = noted.number and a.reason is null
)
update attempt_reasons_added set up_to = (select id from batch order by id desc limit 1) where exists (select from batch);
