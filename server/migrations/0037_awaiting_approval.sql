-- serves 0.2.0
-- Registered, and not decided on yet by an administrator. Counts while the account is inactive: one that an older server activates
-- keeps the mark.
alter table users add column awaiting_approval boolean not null default false;
