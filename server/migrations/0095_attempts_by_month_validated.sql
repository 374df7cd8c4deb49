-- serves 0.3.0
-- post-deployment
alter table delivery_attempts validate constraint delivery_attempts_bound;
