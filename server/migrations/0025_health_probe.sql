-- serves 0.2.0
-- What /healthz writes to see whether anything can be written. Plain storage: a row fills a page by itself, so that a full disk shows.
create table health_probe (id uuid primary key, padding text not null);
alter table health_probe alter column padding set storage plain;
