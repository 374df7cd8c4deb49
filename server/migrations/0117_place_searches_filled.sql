-- serves 0.2.0
-- in steps: a statement is repeated until it changes nothing more
insert into place_searches (package_id)
  select id from packages
  where status in ('processing', 'in transit', 'out for delivery') and address_street is not null and place_accuracy is null
    and not exists (select from place_searches where package_id = packages.id)
  limit 2000
  on conflict do nothing;
