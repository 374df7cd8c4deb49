-- post-deployment
-- serves 0.3.0
-- Only servers of version 0.2.0 used these.
drop trigger carry_package_columns on packages;
drop function carry_package_columns();
drop function package_content(text, text, text, text, double precision, jsonb, text, text, text, date, jsonb, timestamptz, timestamptz,
  jsonb, boolean);
drop function package_content(text, text, text, text, double precision, jsonb, text, text, text, date, jsonb, timestamptz, timestamptz,
  jsonb, boolean, text, boolean);
-- Without a scan: the constraint says it already.
alter table packages alter column weight set not null;
alter table packages drop constraint packages_have_weight;
alter table packages drop column weight_kg, drop column address, drop column handling;
