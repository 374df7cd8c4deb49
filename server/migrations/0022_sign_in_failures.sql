-- serves 0.2.0
-- Failed tries of passwords and codes by account, by address and by both, as hashes: one count for all servers, kept across restarts.
create table sign_in_failures (
  key bytea primary key,
  failures integer not null,
  -- When the count began, and the last try that was let through.
  since timestamptz not null,
  last_at timestamptz not null
);
create index sign_in_failures_age on sign_in_failures (last_at);

-- Addresses that signed in to an account, as hashes; only the latest of each account are kept.
create table known_addresses (
  user_id uuid not null references users on delete cascade,
  hash bytea not null,
  last_at timestamptz not null,
  primary key (user_id, hash)
);
