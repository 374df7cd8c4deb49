-- serves 0.2.0
-- Sent in place of a message by another channel, which has failed: also where its user has not asked for it by this channel.
alter table messages add column is_fallback boolean not null default false;
