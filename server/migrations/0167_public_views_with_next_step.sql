-- serves 0.2.0
-- in steps: a statement is repeated until it changes nothing more
-- Public views that were stored without what happens next are stored anew.
update public_views set stale = true
where tracking_id = any(array(
  select tracking_id from public_views where not stale and position('"nextStep":' in view) = 0 limit 50000));
