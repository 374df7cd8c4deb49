-- serves 0.2.0
-- Those who wait already. In a transaction of its own: reading the events takes a while where there are many.
update users u set awaiting_approval = true
where status = 'inactive' and deleted_at is null
  and exists (select from events where user_id = u.id and type = 'user.created' and actor_id = u.id
    and changes->'status'->>1 = 'inactive')
  and not exists (select from events where user_id = u.id and type = 'user.changed' and changes ? 'status');
