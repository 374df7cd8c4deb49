-- serves 0.2.0
-- What proves a failed attempt: the path of an image, and whether a card was left at the door.
alter table delivery_attempts add column photo text, add column card_left boolean;
-- A package that goes back to its owner, what the owner decided (again, collect, return), and the day of another attempt.
alter table packages add column return_due boolean not null default false, add column next_step text, add column next_day date;
