-- serves 0.2.0
-- Of what waits by owner or weight, what does not fit a day or has a window is found by time: mostly little, among as many rows as packages.
create index concurrently if not exists waiting_by_owner_and_eta on waiting_by_owner_and_window (owner_id, eta) where eta > '-infinity';
create index concurrently if not exists waiting_by_owner_and_start on waiting_by_owner_and_window (owner_id, window_from)
  where window_from > '-infinity';
create index concurrently if not exists waiting_by_weight_and_eta on waiting_by_weight_and_window (eta, whole_kilograms) where eta > '-infinity';
create index concurrently if not exists waiting_by_weight_and_start on waiting_by_weight_and_window (window_from, whole_kilograms)
  where window_from > '-infinity';
