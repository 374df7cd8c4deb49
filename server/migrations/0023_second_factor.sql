-- serves 0.2.0
-- Secrets of authenticator apps. Apart from `users`, so that nothing which reads an account reads them.
create table second_factors (
  user_id uuid primary key references users on delete cascade,
  secret text not null,
  -- Null while it is being set up.
  confirmed_at timestamptz,
  -- The 30 seconds that the last accepted code stood for: none is taken twice.
  last_step bigint not null default 0
);
alter table users add column second_factor boolean not null default false;

create table recovery_codes (
  user_id uuid not null references users on delete cascade,
  hash bytea not null,
  primary key (user_id, hash)
);

-- When the password was last given in this session.
alter table sessions add column proved_at timestamptz not null default now();

alter table settings add column admin_totp text check (admin_totp in ('required', 'optional'));

-- Until when a one-time password signs in.
alter table users add column one_time_until timestamptz;
update users set one_time_until = now() + interval '7 days' where must_change_password;
