-- serves 0.2.0
-- Pictures of what was cancelled or deleted: no longer for everybody with the address, and moved out of the public folder.
alter table images add column withdrawn boolean not null default false;
update images set withdrawn = true
  from packages p where images.kept_by = 'package:' || p.id and p.status in ('cancelled', 'inactive');
