-- serves 0.2.0
-- Since when a day is stale: the sums of the last days are not made anew at each change.
alter table attempt_sums_stale add column at timestamptz not null default now();
