-- post-deployment
-- serves 0.3.0
-- It worked for servers of version 0.2.0 alone.
drop trigger count_waiting on packages;
drop function count_waiting();
