-- serves 0.2.0
-- A column for each part of address and handling, and an exact weight. The wire has 3 decimals.
alter table packages
  add column weight numeric(8, 3),
  add column address_street text,
  add column address_postal_code text,
  add column address_city text,
  add column address_country text,
  add column handling_fragile boolean not null default false,
  add column handling_keep_upright boolean not null default false,
  add column handling_refrigerated boolean not null default false,
  add column handling_signature_required boolean not null default false,
  add column handling_safe_place text;

-- Servers of version 0.2.0 know weight_kg, address and handling alone, newer ones only the new columns: each gets what the other writes.
-- A row without `weight` has not been filled yet. The name sorts before those of triggers that read the columns.
create function carry_package_columns() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' and new.handling is not null
    or tg_op = 'UPDATE' and (new.weight is null
      or (new.weight_kg, new.address, new.handling) is distinct from (old.weight_kg, old.address, old.handling))
  then
    new.weight := new.weight_kg;
    new.address_street := new.address ->> 'street';
    new.address_postal_code := new.address ->> 'postalCode';
    new.address_city := new.address ->> 'city';
    new.address_country := new.address ->> 'country';
    new.handling_fragile := coalesce((new.handling ->> 'fragile')::boolean, false);
    new.handling_keep_upright := coalesce((new.handling ->> 'keepUpright')::boolean, false);
    new.handling_refrigerated := coalesce((new.handling ->> 'refrigerated')::boolean, false);
    new.handling_signature_required := coalesce((new.handling ->> 'signatureRequired')::boolean, false);
    new.handling_safe_place := new.handling ->> 'safePlace';
  else
    new.weight_kg := new.weight;
    new.address := case when new.address_street is not null then jsonb_build_object('street', new.address_street,
      'postalCode', new.address_postal_code, 'city', new.address_city, 'country', new.address_country) end;
    new.handling := jsonb_build_object('fragile', new.handling_fragile, 'keepUpright', new.handling_keep_upright,
      'refrigerated', new.handling_refrigerated, 'signatureRequired', new.handling_signature_required,
      'safePlace', new.handling_safe_place);
  end if;
  return new;
end $$;
create trigger carry_package_columns before insert or update of weight_kg, address, handling, weight, address_street, address_postal_code,
    address_city, address_country, handling_fragile, handling_keep_upright, handling_refrigerated, handling_signature_required,
    handling_safe_place
  on packages for each row execute function carry_package_columns();

alter table packages add constraint packages_have_weight check (weight is not null) not valid;

-- Up to which package the rows from before have been filled.
create table package_columns_filled (up_to uuid not null);
insert into package_columns_filled values ('00000000-0000-0000-0000-000000000000');
