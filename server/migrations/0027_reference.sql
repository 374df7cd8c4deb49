-- serves 0.2.0
-- The owner's own number for a package, such as the number of an order.
alter table packages add column reference text;
