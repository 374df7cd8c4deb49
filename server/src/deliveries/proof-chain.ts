import { createHash, randomBytes } from 'node:crypto';
import type { Db, Queryable, Tx } from '../platform/database/db.ts';

/** A fact that becomes a link of the chain of proofs. */
export interface ProofFact {
  packageId: string;
  trackingId: string;
  event: 'delivery.completed' | 'package.collected' | 'package.returned' | 'delivery.reopened';
  actorId: string;
  /** By the driver's device; null if it sent none. */
  deviceTime: Date | null;
  recordedAt: Date;
  receivedBy: string | null;
  note: string | null;
  /** Storage paths. */
  photo: string | null;
  signature: string | null;
  pin: 'given' | 'waived' | null;
  ageChecked: number | null;
}

const hashOfText = (column: string) => `encode(sha256(decode(salt, 'hex') || convert_to(${column}, 'UTF8')), 'hex')`;
const hashOfImage = (column: string) =>
  `case when ${column} is not null then coalesce((select encode(sha256, 'hex') from images
     where name = substring(${column} from '[^/]*$')), 'unknown') end`;

/**
 * Writes links that wait for their place in the chain: a place at once would make all completions of the installation wait for each
 * other. The job of their events appends them.
 */
export async function insertProofLinks(tx: Tx, facts: readonly ProofFact[]): Promise<void> {
  if (facts.length === 0) return;
  const salted = facts.map((fact) => ({ ...fact, salt: randomBytes(16).toString('hex') }));
  await tx.query(
    `insert into proof_links (package_id, salt, content)
     select "packageId", decode(salt, 'hex'), jsonb_build_object(
              'package', "packageId", 'trackingId', "trackingId", 'event', event, 'actor', "actorId",
              'deviceTime', "deviceTime", 'recordedAt', "recordedAt",
              'receivedBy', ${hashOfText('"receivedBy"')}, 'note', ${hashOfText('note')},
              'pin', pin, 'ageChecked', "ageChecked",
              'photo', ${hashOfImage('photo')}, 'signature', ${hashOfImage('signature')})::text
     from json_to_recordset($1) as given ("packageId" uuid, "trackingId" text, event text, "actorId" uuid, "deviceTime" text,
       "recordedAt" text, "receivedBy" text, note text, photo text, signature text, pin text, "ageChecked" integer, salt text)`,
    [JSON.stringify(salted)],
  );
}

export const sha256 = (...parts: (string | Uint8Array)[]): Buffer<ArrayBuffer> => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

/** Links per transaction. */
const batchSize = 1000;

/** Gives all links that wait their places in the chain, in the order in which they were written. Idempotent. */
export async function chainProofs(db: Db): Promise<void> {
  while ((await db.transaction(chainBatch)) === batchSize);
}

async function chainBatch(tx: Tx): Promise<number> {
  // In a statement of its own: the next ones must see what its last holder committed.
  await tx.query("select pg_advisory_xact_lock(hashtextextended('proof chain', 0))");
  const [[last], waiting] = await Promise.all([
    tx.query<{ number: string; hash: Buffer | null }>(
      'select number, hash from proof_links where number is not null order by number desc limit 1',
    ),
    tx.query<{ id: string; content: string }>(
      `select id, content from proof_links where number is null order by id limit ${batchSize}`,
    ),
  ]);
  let number = Number(last?.number ?? 0);
  let hash: Buffer = last?.hash ?? Buffer.alloc(0);
  const links = waiting.map(({ id, content }) => {
    number += 1;
    hash = sha256(hash, sha256(content));
    return { id, number, hash: hash.toString('hex') };
  });
  if (links.length > 0)
    await tx.query(
      `update proof_links l set number = given.number, hash = decode(given.hash, 'hex')
       from json_to_recordset($1) as given (id bigint, number bigint, hash text) where l.id = given.id`,
      [JSON.stringify(links)],
    );
  return links.length;
}

/**
 * Verifies the whole chain.
 * @returns the number of links in it, and the place of the first that does not follow from the one before it, or null
 */
export async function verifyProofs(on: Queryable): Promise<{ links: number; brokenAt: number | null }> {
  const [result] = await on.query<{ links: string; broken: string | null }>(
    `select count(*) as links,
            min(number) filter (where number <> place or hash <> sha256(before || sha256(convert_to(content, 'UTF8')))) as broken
     from (select number, hash, content, lag(hash, 1, '') over chain as before, row_number() over chain as place
           from proof_links where number is not null window chain as (order by number)) links`,
  );
  return { links: Number(result?.links ?? 0), brokenAt: result?.broken ? Number(result.broken) : null };
}

export interface ProofLink {
  number: number;
  /** JSON of hashes. */
  content: string;
  /** Before the texts; null once those were removed. */
  salt: string | null;
  hash: string;
  /** The hash of the link before it; empty for the first. */
  previousHash: string;
}

/** The link of a package's present proof; null for a delivery from before there was a chain. */
export async function readProofLink(db: Db, packageId: string): Promise<ProofLink | null> {
  let row = await findLink(db, packageId);
  if (row?.number === null) {
    // The job has not run yet.
    await chainProofs(db);
    row = await findLink(db, packageId);
  }
  return row?.number ? { ...row, number: Number(row.number) } : null;
}

async function findLink(db: Queryable, packageId: string) {
  const [row] = await db.query<Omit<ProofLink, 'number'> & { number: string | null }>(
    `select l.number, l.content, encode(l.salt, 'hex') as salt, encode(l.hash, 'hex') as hash,
            coalesce((select encode(b.hash, 'hex') from proof_links b where b.number = l.number - 1), '') as "previousHash"
     from proof_links l where l.package_id = $1 order by l.id desc limit 1`,
    [packageId],
  );
  return row ?? null;
}

/** The most links after a proof that a bundle has: 64 bytes each. */
const maxFollowing = 1000;

/** The hashes of the contents of the links after this place, in order. */
export async function findFollowing(db: Queryable, number: number): Promise<string[]> {
  const rows = await db.query<{ hash: string }>(
    `select encode(sha256(convert_to(content, 'UTF8')), 'hex') as hash from proof_links
     where number > $1 order by number limit ${maxFollowing}`,
    [number],
  );
  return rows.map((row) => row.hash);
}
