-- serves 0.2.0
-- in steps: a statement is repeated until it changes nothing more
-- 2,000 images at a time, in the order of their names. The trigger carry_image_state fills the new columns.
with batch as (
  select name from images where name > (select up_to from image_states_filled) order by name limit 2000
), filled as (
  update images set state = null from batch where images.name = batch.name and images.state is null
)
update image_states_filled set up_to = (select name from batch order by name desc limit 1)
where exists (select from batch);
alter table images validate constraint images_have_state;
