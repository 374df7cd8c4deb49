-- serves 0.2.0
-- The digits that a package is found by, four in a row at a time, and the last three of each number: '1234567' has 1234, 2345, 3456,
-- 4567 and 567. There are ten times as many of these as trigrams of digits, which every number of a city or a shop shares, so a part of a
-- reference, a postcode or a phone number is found without reading the others. Three digits are found as the beginning of four.
create function digit_windows(text text, phone text) returns tsvector
  language plpgsql immutable parallel safe as $$
declare
  digits text;
  windows text[] := '{}';
begin
  foreach digits in array regexp_split_to_array(text || ' ' || coalesce(phone, ''), '[^0-9]+') loop
    for place in 1 .. length(digits) - 2 loop
      windows := array_append(windows, substr(digits, place, 4));
    end loop;
  end loop;
  return array_to_tsvector(windows);
end $$;
