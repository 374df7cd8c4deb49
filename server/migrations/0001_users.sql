create table users (
  id uuid primary key,
  name text not null,
  email text not null unique,
  password_hash text not null,
  role text not null check (role in ('owner', 'driver', 'admin')),
  permissions text[],
  status text not null check (status in ('active', 'inactive', 'suspended')),
  phone text,
  profile_picture text,
  years_of_experience integer,
  vehicle_type text,
  vehicle_model text,
  vehicle_license_plate text,
  current_location text,
  last_login_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index users_role on users (role, id desc);

-- Tokens are kept as SHA-256 only: a copy of the database signs nobody in.
create table sessions (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  token_hash bytea not null unique,
  user_agent text,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now()
);
create index sessions_user on sessions (user_id);

-- The first answer to each creating or changing POST that carried an Idempotency-Key, kept 7 days.
create table idempotency_keys (
  user_id uuid not null references users on delete cascade,
  path text not null,
  key text not null,
  body_hash bytea not null,
  reply text,
  created_at timestamptz not null default now(),
  primary key (user_id, path, key)
);
create index idempotency_keys_age on idempotency_keys (created_at);

-- The columns that rate-limiter-flexible expects.
create table rate_limits (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);
