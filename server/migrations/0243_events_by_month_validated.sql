-- post-deployment
-- serves 0.3.0
alter table package_events validate constraint package_events_bound;
