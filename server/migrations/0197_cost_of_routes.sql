-- serves 0.2.0
-- What a kilometre and an hour of driving cost, in the organisation's currency; null: no costs are shown. And what a finished route cost by them.
alter table settings add column cost_per_kilometre double precision, add column cost_per_hour double precision, add column currency text;
alter table routes add column cost double precision;
