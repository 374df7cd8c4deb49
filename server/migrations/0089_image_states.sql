-- serves 0.2.0
-- An image has a named state and, if a package shows it, a place there. packages.images said the same as images.kept_by.
alter table images
  add column state text,
  add column package_id uuid,
  -- Among the images of the package, from 1.
  add column position smallint,
  -- What else shows it: `user:<id>`, `incident:<id>`, `delivery:<id>`, `settings:logo`.
  add column attached_to text;
alter table images add constraint images_have_state check (
  state is not null and state in ('uploading', 'unused', 'attached', 'removing')
  and (state = 'attached') = (package_id is not null or attached_to is not null)
  and (package_id is null or attached_to is null)
) not valid;

-- Servers of version 0.2.0 know kept_by and packages.images alone, newer ones only the new columns: each gets what the other writes.
-- A row without `state` has not been filled yet. Older servers write packages.images before they attach.
create function carry_image_state() returns trigger language plpgsql as $$
begin
  if new.state is null or tg_op = 'UPDATE'
    and (new.state, new.package_id, new.position, new.attached_to) is not distinct from
      (old.state, old.package_id, old.position, old.attached_to)
  then
    new.state := case when new.kept_by is not null then 'attached' when new.since = '-infinity' then 'removing'
      when new.folder is not null then 'unused' else 'uploading' end;
    new.package_id := case when new.kept_by like 'package:%' then substr(new.kept_by, 9)::uuid end;
    new.position := (select array_position(images, 'packages/' || new.name) from packages where id = new.package_id);
    new.attached_to := case when new.package_id is null then new.kept_by end;
  else
    new.kept_by := coalesce('package:' || new.package_id, new.attached_to);
    if new.state = 'removing' then new.since := '-infinity'; end if;
  end if;
  return new;
end $$;
create trigger carry_image_state before insert or update on images for each row execute function carry_image_state();

create function carry_package_images() returns trigger language plpgsql as $$
begin
  update packages set images = array(
    select 'packages/' || name from images where package_id = packages.id order by images.position)
  where id in (old.package_id, new.package_id);
  return null;
end $$;
create trigger carry_package_images after update of package_id, position on images for each row
  when ((old.package_id, old.position) is distinct from (new.package_id, new.position) and old.state is not null
    and current_setting('waybill.writes_packages', true) = 'on')
  execute function carry_package_images();

-- Up to which image the rows from before have been filled.
create table image_states_filled (up_to text not null);
insert into image_states_filled values ('');
