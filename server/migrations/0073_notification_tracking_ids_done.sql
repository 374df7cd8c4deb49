-- serves 0.2.0
drop table tracking_ids_added;
