-- serves 0.2.0
-- As whom somebody was told, and what the text is made of when it is read. Null: a server of 0.2.0 wrote it, and its text stays as it
-- is. Title and body are filled for such servers as long as they are served, and dropped after that.
alter table notifications add column audience text, add column parameters jsonb;
