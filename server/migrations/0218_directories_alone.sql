-- post-deployment
-- serves 0.3.0
-- The trigger worked for servers of version 0.2.0 alone.
drop trigger keep_package_reference on packages;
drop function keep_package_reference();
drop table package_references_added;
-- A table that is distributed may have a default, but no identity column of four bytes.
create sequence incident_numbers as integer;
select setval('incident_numbers', last_value, is_called) from incidents_number_seq;
alter table incidents alter column number drop identity;
alter table incidents alter column number set default nextval('incident_numbers');
