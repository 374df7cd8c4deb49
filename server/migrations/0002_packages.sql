create extension if not exists pg_trgm;
create extension if not exists btree_gin;

-- One row, one status, one version. A delivery is the driver's view of this row.
create table packages (
  id uuid primary key,
  owner_id uuid not null references users,
  tracking_id text not null unique check (tracking_id ~ '^PKG-[A-Z0-9]{8}$'),
  name text not null,
  description text not null,
  category text not null,
  weight_kg double precision not null,
  dimensions_cm jsonb,
  recipient_name text not null,
  recipient_contact text,
  address jsonb,
  window_from timestamptz,
  window_to timestamptz,
  handling jsonb not null,
  hide_recipient boolean not null default false,
  status text not null
    check (status in ('processing', 'in transit', 'out for delivery', 'delivered', 'cancelled', 'inactive')),
  location text,
  eta date,
  images text[] not null default '{}',
  driver_id uuid references users,
  issue text,
  received_by text,
  started_at timestamptz,
  estimated_delivery_at timestamptz,
  completed_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version integer not null default 1,
  -- What people type to find a package; a package in transit is labelled 'Out for Delivery', so it is found by that too.
  search text not null generated always as (
    lower(name || ' ' || tracking_id || ' ' || recipient_name || ' ' || status ||
      case status when 'in transit' then ' out for delivery' else '' end)
  ) stored,
  check (status not in ('in transit', 'out for delivery', 'delivered') or driver_id is not null)
);
-- Ids are UUIDs of version 7: `id desc` is newest first.
create index packages_owner on packages (owner_id, id desc);
create index packages_owner_status on packages (owner_id, status, id desc);
create index packages_driver on packages (driver_id, id desc) where driver_id is not null;
create index packages_driver_status on packages (driver_id, status, id desc) where driver_id is not null;
create index packages_pending on packages (id desc) where status = 'processing';
create index packages_search on packages using gin (owner_id, search gin_trgm_ops);

-- Facts, appended in the transaction that makes them true, never changed. The timeline, the public page,
-- live updates, notifications and figures all come from here.
create table events (
  id bigint generated always as identity primary key,
  -- Which transaction wrote it: lets every process read exactly what became visible since it last looked (platform/live.ts).
  xid xid8 not null default pg_current_xact_id(),
  type text not null,
  at timestamptz not null,
  actor_id uuid references users on delete set null,
  package_id uuid references packages,
  status text,
  location text,
  note text,
  -- Whom it concerns, for live hints: the owner, the driver after it, and the driver it was taken from.
  owner_id uuid,
  driver_id uuid,
  previous_driver_id uuid,
  -- Account events: the user, and the session where only one ended.
  user_id uuid,
  session_id uuid
);
create index events_package on events (package_id, id desc) where package_id is not null;
create index events_xid on events (xid);

create table incidents (
  id uuid primary key,
  number integer generated always as identity (start with 12345) unique,
  package_id uuid not null references packages,
  reporter_id uuid references users on delete set null,
  type text not null,
  description text not null,
  status text not null default 'Open' check (status in ('Open', 'Investigating', 'Resolved')),
  location text,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index incidents_package on incidents (package_id, created_at desc);

create table notifications (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  -- A job that runs twice tells once.
  event_id bigint not null references events,
  package_id uuid references packages,
  type text not null,
  title text not null,
  body text not null,
  created_at timestamptz not null,
  read_at timestamptz,
  unique (user_id, event_id)
);
create index notifications_user on notifications (user_id, id desc);
create index notifications_unread on notifications (user_id) where read_at is null;
