-- serves 0.2.0
-- Where a browser is told: a subscription belongs to a session, and ends with it. The key and the secret are the browser's.
create table push_subscriptions (
  session_id uuid primary key references sessions on delete cascade,
  user_id uuid not null references users on delete cascade,
  endpoint text not null unique,
  public_key bytea not null,
  secret bytea not null,
  created_at timestamptz not null default now()
);
create index push_subscriptions_user on push_subscriptions (user_id);
