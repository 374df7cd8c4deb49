-- serves 0.2.0
-- Uploads of OpenStreetMap extracts, and their imports.
create table map_uploads (
  id uuid primary key,
  name text not null,
  size bigint not null,
  -- `stored`: the map has it, and nobody has been told yet.
  state text not null default 'uploading'
    check (state in ('uploading', 'waiting', 'importing', 'stored', 'done', 'failed', 'cancelled')),
  step text check (step in ('read', 'cut', 'store')),
  progress real not null default 0,
  failure text,
  -- The extract that it took the place of.
  replaced text,
  created_by uuid not null references users,
  created_at timestamptz not null,
  ended_at timestamptz,
  -- When something arrived last.
  received_at timestamptz not null default now(),
  -- The server that imports it renews its lease; once it has ended, another one begins again.
  attempts integer not null default 0,
  lease_until timestamptz
);
create unique index map_uploads_one on map_uploads ((true)) where state in ('uploading', 'waiting', 'importing', 'stored');
create index map_uploads_newest on map_uploads (created_at desc);
-- The file, until it is imported or given up: every server has it, also after a restart.
create table map_upload_parts (
  upload_id uuid not null,
  part integer not null,
  data bytea not null,
  primary key (upload_id, part)
);
alter table map_upload_parts alter column data set storage external;
