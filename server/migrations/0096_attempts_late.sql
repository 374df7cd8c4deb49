-- serves 0.3.0
-- post-deployment
-- Late attempts, and those from before due times were recorded, of which only their zone decides.
create index concurrently if not exists delivery_attempts_late on delivery_attempts (ended_at, id)
  where outcome = 'completed' and (due_at is null or ended_at > due_at);
