-- post-deployment
-- serves 0.3.0
-- They worked for servers of version 0.2.0 alone.
drop trigger keep_package_search on packages;
drop trigger keep_registered_content on packages;
drop trigger count_registered on packages;
drop trigger count_moved on packages;
drop trigger count_removed on packages;
drop function keep_package_search();
drop function keep_registered_content();
drop function count_registered();
drop function count_moved();
drop function count_removed();
