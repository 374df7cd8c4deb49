-- serves 0.2.0
-- Addresses that do not work: what was sent to them came back. As a keyed hash, like blocked_addresses.
create table bounced_addresses (
  channel text not null,
  address_hash text not null,
  at timestamptz not null,
  primary key (channel, address_hash)
);
