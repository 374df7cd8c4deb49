-- serves 0.2.0
-- Addresses whose places are known here, for searches without a geocoder.
create table gazetteer (
  -- Street, postal code and town without regard to case and blanks.
  key text primary key,
  street text not null,
  postal_code text,
  city text not null,
  country text,
  lon double precision not null,
  lat double precision not null,
  accuracy text not null,
  source text not null
);
create index gazetteer_text on gazetteer using gin (lower(street || ' ' || city) gin_trgm_ops);
create index gazetteer_place on gazetteer using gist (point(lon, lat));
