-- serves 0.2.0
-- What the recipient chose by their link, and what it replaced; null without any.
alter table packages add column recipient_changes jsonb;
