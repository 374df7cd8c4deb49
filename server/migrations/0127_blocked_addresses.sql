-- serves 0.2.0
-- Where recipients of packages want no messages any more. An address is stored as a keyed hash: it stays known as one to leave alone when the
-- data of its recipient is removed, and names nobody.
create table blocked_addresses (
  channel text not null,
  address_hash text not null,
  at timestamptz not null default now(),
  primary key (channel, address_hash)
);
