-- serves 0.2.0
create index concurrently if not exists images_of_package on images (package_id, position) include (name) where package_id is not null;
create index concurrently if not exists images_attached on images (attached_to) where attached_to is not null;
create index concurrently if not exists images_unattached on images (since) where state <> 'attached';
create index concurrently if not exists images_unattached_of_owner on images (owner_id) where state <> 'attached';
