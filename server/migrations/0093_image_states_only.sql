-- post-deployment
-- serves 0.3.0
-- Only servers of version 0.2.0 used these. The indexes on kept_by go with it.
drop trigger carry_image_state on images;
drop trigger carry_package_images on images;
drop function carry_image_state();
drop function carry_package_images();
-- Without a scan: the constraint says it already.
alter table images alter column state set not null;
alter table images drop column kept_by;
alter table packages drop column images;
