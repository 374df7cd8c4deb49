-- serves 0.2.0
-- { at, timeZone }: when e-mails of the day are sent together. The row of the e-mail that carries others, whose digest_id is its id.
alter table users add column digest jsonb;
alter table messages add column digest_id uuid;
