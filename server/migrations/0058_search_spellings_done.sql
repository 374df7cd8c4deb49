-- serves 0.2.0
drop table package_search_respelled;
