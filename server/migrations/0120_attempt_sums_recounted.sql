-- serves 0.3.0
-- post-deployment: servers of version 0.2.0 end attempts without telling that the sums of their day are stale
insert into attempt_sums_stale select distinct coalesce(day, (ended_at at time zone 'UTC')::date) from delivery_attempts;
