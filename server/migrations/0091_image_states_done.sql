-- serves 0.2.0
drop table image_states_filled;
