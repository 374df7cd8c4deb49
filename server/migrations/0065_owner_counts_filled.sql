-- serves 0.2.0
-- What is missing is appended as one more change, from one snapshot of all three tables: nobody is waited for.
insert into owner_count_changes (owner_id, status, packages)
select owner_id, status, sum(packages)
from (
  select owner_id, status, count(*) as packages from packages group by 1, 2
  union all select owner_id, status, -packages from owner_count_changes
  union all select owner_id, status, -packages from owner_counts
) counted
group by 1, 2 having sum(packages) <> 0;
