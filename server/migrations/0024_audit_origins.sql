-- serves 0.2.0
-- Where an act came from. Address and device are personal data, and the chain is kept for good, so the chain has only a salted hash of
-- them; they themselves stand in audit_origins for 90 days and go with their salt, after which the hash tells nothing.
alter table audit add column hash_version smallint not null default 1, add column origin_hash bytea;

create table audit_origins (
  audit_id bigint primary key,
  salt bytea not null,
  address text,
  device text,
  at timestamptz not null default clock_timestamp()
);
create index audit_origins_at on audit_origins (at);

create function audit_origin_hash(salt bytea, address text, device text) returns bytea language sql stable as $$
  select sha256(salt || convert_to(json_build_array(address, device)::text, 'UTF8'))
$$;

-- Version 1 is how rows were hashed before they had an origin: they stay valid, as long as they have none.
create or replace function audit_hash(entry audit) returns bytea language sql stable as $$
  select sha256(entry.previous_hash || convert_to(
    case when entry.hash_version = 1 and entry.origin_hash is null
      then json_build_array(entry.id, extract(epoch from entry.at)::text, entry.act, entry.actor_id, entry.subject_id,
        entry.details::text)
      else json_build_array(entry.id, extract(epoch from entry.at)::text, entry.act, entry.actor_id, entry.subject_id,
        entry.details::text, entry.hash_version, encode(entry.origin_hash, 'hex'))
    end::text, 'UTF8'))
$$;

create or replace function audit_chain() returns trigger language plpgsql as $$
declare
  last audit;
begin
  perform pg_advisory_xact_lock(hashtextextended('audit', 0));
  select * into last from audit order by id desc limit 1;
  new.id := coalesce(last.id, 0) + 1;
  new.previous_hash := coalesce(last.hash, '');
  new.hash_version := 2;
  new.hash := audit_hash(new);
  return new;
end $$;

-- Refusals come by the thousand. The first of an account and a minute (or an account, an endpoint and an hour) is an entry of the
-- chain; those after it are counted here.
create table audit_repeats (
  act text not null,
  key text not null,
  since timestamptz not null,
  audit_id bigint,
  times integer not null default 1,
  primary key (act, key, since)
);
create index audit_repeats_audit on audit_repeats (audit_id);

-- Which member of staff has seen a recipient's contact or address, and how often within an hour. Beside the chain: reading must
-- not wait for its lock.
create table contact_views (
  id bigint generated always as identity primary key,
  package_id uuid not null,
  viewer_id uuid not null,
  hour timestamptz not null,
  first_at timestamptz not null default clock_timestamp(),
  last_at timestamptz not null default clock_timestamp(),
  times integer not null default 1,
  unique (package_id, viewer_id, hour)
);
create index contact_views_viewer on contact_views (viewer_id, id desc);
create index contact_views_hour on contact_views (hour);
