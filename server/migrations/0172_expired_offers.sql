-- serves 0.2.0
-- An offer that nobody answers is closed with an event: whoever offers is told. Servers of older versions read this state as they did.
alter table route_offers drop constraint route_offers_state_check;
alter table route_offers add constraint route_offers_state_check
  check (state in ('open', 'accepted', 'declined', 'withdrawn', 'expired')) not valid;
