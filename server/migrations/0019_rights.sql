-- serves 0.2.0
-- Who made a link for a new password: it works only while they could still make it. A link without a maker works for nobody.
alter table password_resets add column made_by uuid references users;

-- What the account could do while active when the session was opened: rights that it gained later are not in the session.
-- Null: opened by an older server; filled in before the rights of the account change.
alter table sessions add column permissions text[];
-- Where it was opened from: an IPv4 address, or the /64 of an IPv6 one.
alter table sessions add column address text;
