-- serves 0.2.0
drop table public_views_added;
