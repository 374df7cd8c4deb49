-- serves 0.2.0
-- Each proof of delivery is a link of one chain, so that a proof that was changed, added or taken out later is found. `content` is JSON
-- with hashes: of the image files, and of texts with `salt`, which is removed with the texts. Never changed. A link is appended to the
-- chain after its transaction: `number` is its place, from 1, and `hash` is SHA-256 of the hash before it and of SHA-256 of `content`.
create table proof_links (
  id bigint generated always as identity primary key,
  package_id uuid not null,
  salt bytea,
  content text not null,
  number bigint unique,
  hash bytea,
  check ((number is null) = (hash is null))
);
create index proof_links_of_package on proof_links (package_id);
create index proof_links_waiting on proof_links (id) where number is null;

-- Of the stored file. Null for those that were stored before.
alter table images add column sha256 bytea;
