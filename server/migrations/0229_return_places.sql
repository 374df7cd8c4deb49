-- serves 0.2.0
-- Where a return address is, as the place of a package: null until something goes back there. `return_searched_at`: looked up last.
alter table users add column return_lon double precision, add column return_lat double precision, add column return_accuracy text,
  add column return_source text, add column return_searched_at timestamptz;
