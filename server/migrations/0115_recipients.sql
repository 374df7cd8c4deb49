-- serves 0.2.0
-- How the recipient is reached, in which language they are written to, whether they may change their delivery, and the version of their link:
-- a new one is made by raising it.
alter table packages add column recipient_email text, add column recipient_phone text, add column recipient_language text,
  add column allow_changes boolean not null default true, add column link_version integer not null default 1;
