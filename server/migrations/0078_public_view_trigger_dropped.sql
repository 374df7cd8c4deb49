-- post-deployment
-- serves 0.3.0
-- It worked for servers of version 0.2.0 alone.
drop trigger mark_public_view_stale on packages;
drop function mark_public_view_stale();
