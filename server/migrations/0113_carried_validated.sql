-- serves 0.2.0
alter table packages validate constraint packages_carried;
