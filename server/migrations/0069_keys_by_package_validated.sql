-- serves 0.2.0
alter table package_events validate constraint package_events_incident_fkey;
