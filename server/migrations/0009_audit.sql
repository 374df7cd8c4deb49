-- Who did what with other people's rights and data. Appended only; each row carries the hash of the one before, so that a row
-- that was changed, put in or taken out shows. Ids of accounts and packages, never names or addresses: it outlives them.
create table audit (
  id bigint primary key,
  at timestamptz not null default clock_timestamp(),
  act text not null,
  actor_id uuid,
  subject_id uuid,
  details jsonb not null,
  previous_hash bytea not null,
  hash bytea not null
);
create index audit_act on audit (act, id desc);
create index audit_actor on audit (actor_id, id desc);
create index audit_subject on audit (subject_id, id desc);

-- Spelt so that neither zone nor date style of a connection makes a difference.
create function audit_hash(entry audit) returns bytea language sql stable as $$
  select sha256(entry.previous_hash || convert_to(json_build_array(entry.id, extract(epoch from entry.at)::text, entry.act, entry.actor_id,
    entry.subject_id, entry.details::text)::text, 'UTF8'))
$$;

-- One at a time, until the commit: audited acts are rare, and two with the same place would break the chain.
create function audit_chain() returns trigger language plpgsql as $$
declare
  last audit;
begin
  perform pg_advisory_xact_lock(hashtextextended('audit', 0));
  select * into last from audit order by id desc limit 1;
  new.id := coalesce(last.id, 0) + 1;
  new.previous_hash := coalesce(last.hash, '');
  new.hash := audit_hash(new);
  return new;
end $$;
create trigger audit_chain before insert on audit for each row execute function audit_chain();

create function audit_is_kept() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log is only ever added to';
end $$;
create trigger audit_is_kept before update or delete or truncate on audit for each statement execute function audit_is_kept();
