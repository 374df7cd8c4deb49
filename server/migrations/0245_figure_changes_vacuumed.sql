-- serves 0.2.0
-- Emptied every 20 s, as the other tables of changes, which have this already.
alter table figure_changes set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
