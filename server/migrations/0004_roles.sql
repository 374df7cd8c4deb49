-- Custom roles. The built-in ones (owner, driver, admin) are part of the program, so that nobody can take their meaning.
create table roles (
  id uuid primary key,
  name text not null check (lower(name) not in ('owner', 'driver', 'admin')),
  description text not null,
  permissions text[] not null,
  is_active boolean not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index roles_name on roles (lower(name));

-- Which permissions a custom role gives now: none while it is inactive. Null without a role, at no cost.
create function permissions_of_role(role_id uuid) returns text[] stable strict language sql
  as $$ select case when is_active then permissions else '{}' end from roles where id = role_id $$;

alter table users
  add column role_id uuid references roles,
  add column must_change_password boolean not null default false,
  add column password_reset_requested_at timestamptz,
  -- What a deleted user leaves is a row without personal data, for the history that names it. A null name is shown
  -- nowhere, and a null address is nobody's: it is free again.
  add column deleted_at timestamptz,
  alter column name drop not null,
  alter column email drop not null,
  add check (deleted_at is not null or (name is not null and email is not null)),
  add check (deleted_at is null or (name is null and email is null and phone is null and status = 'inactive'));
create index users_role_id on users (role_id) where role_id is not null;

-- One link at a time for each user; the token is kept as SHA-256 only.
create table password_resets (
  user_id uuid primary key references users on delete cascade,
  token_hash bytea not null unique,
  expires_at timestamptz not null
);

-- What an account event changed, for whoever keeps the record of it: field -> [before, after]. No personal data.
alter table events add column changes jsonb;
