-- serves 0.2.0
-- What waiting_counts has of each postal code and town, with and without a window: what waits is mostly asked for without a day, and its
-- counts by window and ETA are many times as many.
lock table waiting_counts in share row exclusive mode;
create table waiting_totals (
  postal_code text not null,
  city text not null,
  has_window boolean not null,
  packages bigint not null,
  kilograms numeric not null,
  primary key (postal_code, city, has_window)
);
insert into waiting_totals
select postal_code, city, window_from > '-infinity', sum(packages), sum(kilograms) from waiting_counts group by 1, 2, 3;
