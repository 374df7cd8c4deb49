-- What administrators have set on the screen, in one row. Null: not set, so that the default counts. The environment wins over both.
create table settings (
  is_only boolean primary key default true check (is_only),
  version integer not null default 0,
  updated_at timestamptz not null default now(),
  organisation_name text,
  -- Where it lies in the storage.
  logo text,
  admin_sign_up text check (admin_sign_up in ('open', 'approval', 'closed')),
  driver_sign_up text check (driver_sign_up in ('open', 'approval', 'closed')),
  public_recipient text check (public_recipient in ('full', 'masked', 'hidden')),
  notification_days integer check (notification_days > 0),
  message_days integer check (message_days > 0),
  recipient_days integer check (recipient_days > 0),
  import_report_days integer check (import_report_days > 0)
);
insert into settings default values;
