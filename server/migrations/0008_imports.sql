-- One uploaded file of packages. How far it has come is committed with the packages that it has made, so that the same file
-- sent again after a crash goes on where it was broken off.
create table package_imports (
  id uuid primary key,
  owner_id uuid not null references users on delete cascade,
  file_hash bytea not null,
  -- The Idempotency-Key it came with.
  key text,
  total integer not null,
  done integer not null default 0,
  created integer not null default 0,
  failed integer not null default 0,
  created_at timestamptz not null,
  -- When the work on it last began.
  started_at timestamptz not null,
  finished_at timestamptz
);
create index package_imports_owner on package_imports (owner_id, id desc);

-- A row of the file that made no package, and why: field -> message. What stood in it is not kept.
create table package_import_errors (
  import_id uuid not null references package_imports on delete cascade,
  line integer not null,
  fields jsonb not null,
  primary key (import_id, line)
);

alter table events add column import_id uuid;
