-- serves 0.2.0
-- By package first, as the history is: rows of a package lie together, and the tables could be distributed by package, which no unique index
-- without the package allows. Numbers of incidents and ids of attempts come from one sequence each.
alter table package_events drop constraint events_incident_number_fkey;
-- Packages and incidents are never deleted; only users are asked for their notifications.
alter table notifications drop constraint notifications_incident_number_fkey, drop constraint notifications_package_id_fkey;
alter table incidents drop constraint incidents_pkey, drop constraint incidents_number_key;
alter table incidents add constraint incidents_pkey primary key using index incidents_key;
alter table package_events add constraint package_events_incident_fkey
  foreign key (package_id, incident_number) references incidents (package_id, number) not valid;
alter table delivery_attempts drop constraint delivery_attempts_pkey, drop constraint delivery_attempts_package_id_number_key;
alter table delivery_attempts add constraint delivery_attempts_pkey primary key using index delivery_attempts_key;
