-- serves 0.2.0
-- When the package got on its route: later edits of its owner are marked.
alter table packages add column planned_at timestamptz;
