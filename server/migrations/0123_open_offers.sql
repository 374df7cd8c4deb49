-- serves 0.2.0
-- What drivers offer each other at the moment, for dispatchers. Offers that ran out stay open in the table.
create index concurrently if not exists route_offers_open on route_offers (expires_at) where state = 'open';
