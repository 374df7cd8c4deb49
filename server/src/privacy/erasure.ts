import type { Ctx } from '../ctx.ts';
import { findAccountEvent } from '../events/history.ts';
import { rollUpInventory } from '../inventory/service.ts';
import type { Db, Tx } from '../platform/database/db.ts';

interface Erasure {
  user_id: string;
  name: string;
  email: string;
  phone: string | null;
  vehicle_license_plate: string | null;
}

/** What stands in the place of what was taken out. */
const removed = 'Removed';

/** Packages in one transaction. */
const batchSize = 200;

/**
 * Takes a deleted user out of the texts that stay: descriptions, issues, notes, places, and what others were told of them. What
 * happened, when and where is the packages' history and stays; the comments of ratings are nobody's but their author's and go whole.
 *
 * Whom a package under way is for must stay readable for whoever brings it, also when that is the deleted owner: such a user is kept
 * in `erasures`, and looked at again each hour, until the last of these has arrived. Safe to repeat.
 */
export async function redactUser({ db }: Pick<Ctx, 'db'>, userId: string): Promise<void> {
  const [erasure] = await db.query<Erasure>(
    'select user_id, name, email, phone, vehicle_license_plate from erasures where user_id = $1',
    [userId],
  );
  if (!erasure) return;
  const words = patternOf(erasure);
  for (const find of [ownPackages, deliveries, reported]) {
    for (let after: string | null = zero; after !== null;) {
      const rows: { id: string }[] = await db.query<{ id: string }>(find, [userId, after, batchSize]);
      const ids = rows.map(({ id }) => id);
      if (ids.length > 0) await db.transaction((tx) => eraseFrom(tx, userId, ids, words));
      after = rows.length === batchSize ? (ids.at(-1) ?? null) : null;
    }
  }
  await eraseFromFailedAttempts(db, userId, words);
  // What has been counted under a place that told of them is nobody's place any more.
  await rollUpInventory(db);
  // Accounts that this user has made or changed are in nobody's kept answers but those of administrators.
  await db.query(`delete from idempotency_keys where path like '/api/users%' and position($1 in reply) > 0`, [userId]);
  await db.query(`delete from erasures where user_id = $1 and ${isOver}`, [userId]);
}

const isOver = `not exists (
  select from packages where owner_id = erasures.user_id and status in ('in transit', 'out for delivery'))`;

/** Deleted users whose last package has arrived: now they can be taken out of it. */
export async function listErasures(db: Db): Promise<string[]> {
  const rows = await db.query<{ user_id: string }>(`select user_id from erasures where ${isOver} order by user_id`);
  return rows.map((row) => row.user_id);
}

export async function redactDeletedUser(ctx: Pick<Ctx, 'db'>, eventId: string): Promise<void> {
  const event = await findAccountEvent(ctx.db, eventId);
  if (event) await redactUser(ctx, event.userId);
}

const zero = '00000000-0000-0000-0000-000000000000';
const page = (from: string) => `select distinct id from (${from}) found where id > $2 order by id limit $3`;
const ownPackages = page('select id from packages where owner_id = $1');
const deliveries = page('select id from packages where driver_id = $1');
const reported = page('select package_id as id from incidents where reporter_id = $1');

/** A driver whose attempt failed stands on the package no more. In parts by number: there is no index for what is asked for this once. */
async function eraseFromFailedAttempts(db: Db, userId: string, words: string): Promise<void> {
  const [last] = await db.query<{ id: string | null }>('select max(id) as id from delivery_attempts');
  const atOnce = 20_000;
  for (let from = 0; from <= Number(last?.id ?? 0); from += atOnce) {
    const rows = await db.query<{ package_id: string }>(
      `select distinct package_id from delivery_attempts where id > $2 and id <= $3 and driver_id = $1 and outcome = 'failed'`,
      [userId, from, from + atOnce],
    );
    const ids = rows.map((row) => row.package_id);
    for (let done = 0; done < ids.length; done += batchSize)
      await db.transaction((tx) => eraseFrom(tx, userId, ids.slice(done, done + batchSize), words));
  }
}

async function eraseFrom(tx: Tx, userId: string, ids: string[], words: string): Promise<void> {
  const without = (column: string) => `regexp_replace(${column}, $2, '${removed}', 'gi')`;
  const replace = (columns: string[]) => columns.map((column) => `${column} = ${without(column)}`).join(', ');
  const has = (columns: string[]) => `concat_ws(' ', ${columns.join(', ')}) ~* $2`;

  const content = ['name', 'description', 'location', 'issue'];
  const isUnderWay = "status in ('in transit', 'out for delivery')";
  // First of all, and in one order: whoever else changes these packages waits for it, or has it wait.
  await tx.query('select from packages where id = any($1) order by id for update', [ids]);
  await tx.query(
    `update packages set ${replace(content)}, handling = ${without('handling::text')}::jsonb, version = version + 1
     where id = any($1) and ${has([...content, 'handling::text'])}`,
    [ids, words],
  );
  const recipient = ['recipient_name', 'recipient_contact', 'received_by', 'instructions'];
  await tx.query(
    `update packages set ${replace(recipient)}, address = ${without('address::text')}::jsonb, version = version + 1
     where id = any($1) and not (${isUnderWay}) and ${has([...recipient, 'address::text'])}`,
    [ids, words],
  );
  await tx.query(
    `update packages set rating_comment = null, version = version + 1
     where id = any($1) and owner_id = $2 and rating_comment is not null`,
    [ids, userId],
  );
  const texts = {
    package_events: ['note', 'location'],
    incidents: ['description', 'note', 'location'],
    proofs: ['note', 'place'],
  };
  for (const [table, columns] of Object.entries(texts)) {
    await tx.query(`update ${table} set ${replace(columns)} where package_id = any($1) and ${has(columns)}`, [
      ids,
      words,
    ]);
  }
  await tx.query(
    `update package_events set changes = ${without('changes::text')}::jsonb
     where package_id = any($1) and type = 'package.updated' and changes::text ~* $2`,
    [ids, words],
  );
  // What others were told of these packages: found by the event, among those whom one can concern.
  const told = `event_id = any(array(select id from package_events where package_id = any($1))) and user_id = any(array(
    select unnest(array[e.owner_id, e.driver_id, e.previous_driver_id, i.reporter_id])
      from package_events e left join incidents i on i.number = e.incident_number where e.package_id = any($1)
    union select id from users where role = 'admin' or role_id is not null or permissions is not null))`;
  // Each text by itself: as JSON, a name with a quotation mark would not be recognized.
  const parameters = `coalesce((select jsonb_object_agg(key, case jsonb_typeof(value) when 'string' then to_jsonb(${without("value #>> '{}'")}) else value end)
    from jsonb_each(parameters)), parameters)`;
  await tx.query(
    `update notifications set ${replace(['title', 'body'])}, parameters = ${parameters} where ${told} and ${has(['title', 'body'])}`,
    [ids, words],
  );
  await tx.query(
    `update notifications set body = regexp_replace(body, '( was rated \\d of 5 stars): .*$', '\\1.'),
       parameters = parameters || '{"comment": null}'
     where ${told} and type = 'package.rated' and package_id in (select id from packages where owner_id = $2)`,
    [ids, userId],
  );
}

/**
 * A pattern (of PostgreSQL's kind) for how the user was called: name, e-mail address, phone number however it is spaced, licence
 * plate. A name of one word is also a word like others, and left alone.
 */
function patternOf({ name, email, phone, vehicle_license_plate: plate }: Erasure): string {
  const literal = (text: string) => text.replace(/[^\p{L}\p{N}\p{M}]/gu, String.raw`\$&`);
  const spaced = (text: string) =>
    text
      .trim()
      .split(/\s+/)
      .map(literal)
      .join(String.raw`\s+`);
  const digits = (phone ?? '').replace(/\D/g, '').split('').join('[ ./()-]*');
  const words = [
    /\s/.test(name.trim()) && spaced(name),
    literal(email),
    digits && String.raw`(?:\+|00)?${digits}`,
    plate?.trim() && spaced(plate),
  ].filter((word) => word);
  return String.raw`(?<!\w)(?:${words.join('|')})(?!\w)`;
}
