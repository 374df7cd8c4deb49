-- serves 0.2.0
-- Of an edit: whether the public page showed any of it when it was made. Null: told by its changes, as before.
alter table events add column shown boolean;
