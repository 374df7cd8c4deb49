-- Secrets that the product makes for itself. 244 random bits.
create table secrets (
  name text primary key,
  value bytea not null
);
insert into secrets (name, value)
values ('signed-urls', decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex'));

-- Every image file the product knows of: announced (no folder yet), then re-encoded into a folder, then kept by what shows it.
create table images (
  name text primary key,
  owner_id uuid references users on delete set null,
  -- As announced; what comes is held to it.
  type text not null,
  size integer not null,
  folder text,
  -- What shows it, `package:<id>` for one. Without one it is removed a day after `since`.
  kept_by text,
  since timestamptz not null default now()
);
create index images_kept on images (kept_by) where kept_by is not null;
create index images_unkept on images (since) where kept_by is null;
create index images_waiting on images (owner_id) where kept_by is null;
