-- serves 0.2.0
-- What the driver is to know, and whether the public page names who sent it. What an edit changed stands in its event, in `changes`.
alter table packages add column instructions text, add column show_sender boolean not null default false;
