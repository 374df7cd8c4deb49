-- serves 0.2.0
-- Where unfinished packages are, in metres of the Web Mercator projection: for what a map shows, and for the nearest ones.
create index concurrently if not exists packages_on_map on packages using gist ((point(place_lon * 111319.49079327358,
  6378137 * ln(tan(radians(45 + least(greatest(place_lat, -85.0511), 85.0511) / 2))))))
  where status in ('processing', 'in transit', 'out for delivery') and place_lon is not null and place_lat is not null;
