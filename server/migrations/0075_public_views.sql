-- serves 0.2.0
-- What a lookup answers, as JSON text: one index read instead of the package, its events and the concatenation. It has only what the
-- package's own row and events decide (server/src/packages/stored-views.ts). Stale rows are composed from the tables at each lookup until
-- the server stores them, which it does every 20 s.
create table public_views (
  tracking_id text primary key,
  package_id uuid not null,
  view text not null default '',
  stale boolean not null default false,
  -- What has to be looked up with it: a sender who is shown, and the driver while on the road.
  sender_id uuid,
  driver_id uuid,
  completed_at timestamptz
-- Each event makes the text longer: room for it on the same page.
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);
-- A text of more than 2 kB is compressed, and stays in the row.
alter table public_views alter column view set storage main;
create index public_views_stale on public_views (package_id) where stale;

-- Servers of version 0.2.0 change packages, and with them their events, without the view.
create function mark_public_view_stale() returns trigger language plpgsql as $$
begin
  insert into public_views (tracking_id, package_id, stale) values (new.tracking_id, new.id, true)
  on conflict (tracking_id) do update set stale = true;
  return null;
end $$;
create trigger mark_public_view_stale after insert or update on packages for each row
  when (current_setting('waybill.writes_packages', true) is distinct from 'on') execute function mark_public_view_stale();

-- They redact the places of events without a change of the package.
create or replace function change_event_of_older_server() returns trigger language plpgsql as $$
begin
  if new.xid is distinct from old.xid then
    update outbox set xid = coalesce(new.xid, '0') where event_id = old.id or id = -old.id;
  end if;
  update package_events set location = new.location, note = new.note, changes = new.changes
  where package_id = old.package_id and id = old.id and (location, note, changes) is distinct from (new.location, new.note, new.changes);
  update public_views set stale = true where tracking_id = (select tracking_id from packages where id = old.package_id);
  return new;
end $$;

-- Up to which package stale rows have been added.
create table public_views_added (up_to uuid not null);
insert into public_views_added values ('00000000-0000-0000-0000-000000000000');
