import type { Ctx } from '../ctx.ts';
import { findAccountEvent } from '../events/history.ts';
import { rollUpInventory } from '../inventory/service.ts';
import { packageUpdate } from '../packages/store.ts';
import { storeViews } from '../packages/stored-views.ts';
import { rollUpWaiting } from '../packages/waiting-counts.ts';
import type { Db, Tx } from '../platform/database/db.ts';

interface Erasure {
  user_id: string;
  name: string;
  email: string;
  phone: string | null;
  vehicle_license_plate: string | null;
}

/** Replaces redacted text. */
const placeholder = 'Removed';

/** Packages per transaction. */
const batchSize = 200;

/**
 * Redacts a deleted user in the texts that stay: descriptions, issues, notes, places, and notifications of others. The packages'
 * history (what happened, when and where) stays. Comments of the user's ratings are deleted entirely.
 *
 * The recipient of a package under way must stay readable for its driver, even if it names the deleted owner: such a user stays in
 * `erasures` and is retried each hour until the last of these packages has arrived. Idempotent.
 */
export async function redactUser({ db }: Pick<Ctx, 'db'>, userId: string): Promise<void> {
  const [erasure] = await db.query<Erasure>(
    'select user_id, name, email, phone, vehicle_license_plate from erasures where user_id = $1',
    [userId],
  );
  if (!erasure) return;
  const pattern = identityPattern(erasure);
  for (const query of [ownPackages, deliveries, reported]) {
    for (let after: string | null = nilUuid; after !== null;) {
      const rows: { id: string }[] = await db.query<{ id: string }>(query, [userId, after, batchSize]);
      const ids = rows.map(({ id }) => id);
      if (ids.length > 0) await db.transaction((tx) => redactPackages(tx, userId, ids, pattern));
      after = rows.length === batchSize ? (ids.at(-1) ?? null) : null;
    }
  }
  await redactFailedAttempts(db, userId, pattern);
  await db.query('delete from addresses where owner_id = $1', [userId]);
  // Few people are in the address books of others, and few users are deleted: a scan.
  await db.query('update addresses set name = null where name ~* $1', [pattern]);
  // Inventory counts are keyed by place: fold the redactions in, so that no key names the user.
  await rollUpInventory(db);
  await rollUpWaiting(db);
  // Stored replies of administrators may contain the user's account.
  await db.query(`delete from idempotency_keys where path like '/api/users%' and position($1 in reply) > 0`, [userId]);
  await db.query(`delete from erasures where user_id = $1 and ${hasNothingUnderWay}`, [userId]);
}

const hasNothingUnderWay = `not exists (
  select from packages where owner_id = erasures.user_id and status in ('in transit', 'out for delivery'))`;

/** The deleted users whose last package has arrived, and whose redaction can be finished. */
export async function listErasures(db: Db): Promise<string[]> {
  const rows = await db.query<{ user_id: string }>(
    `select user_id from erasures where ${hasNothingUnderWay} order by user_id`,
  );
  return rows.map((row) => row.user_id);
}

export async function redactDeletedUser(ctx: Pick<Ctx, 'db'>, eventId: string): Promise<void> {
  const event = await findAccountEvent(ctx.db, eventId);
  if (event) await redactUser(ctx, event.userId);
}

const nilUuid = '00000000-0000-0000-0000-000000000000';
const page = (from: string) => `select distinct id from (${from}) found where id > $2 order by id limit $3`;
const ownPackages = page('select id from packages where owner_id = $1');
const deliveries = page('select id from packages where driver_id = $1');
const reported = page('select package_id as id from incidents where reporter_id = $1');

/**
 * After a failed attempt the package no longer refers to its driver, so find it by the attempt. Scans the table in ranges of IDs: an
 * index for this rare query is not worth its cost.
 */
async function redactFailedAttempts(db: Db, userId: string, pattern: string): Promise<void> {
  const [last] = await db.query<{ id: string | null }>('select max(id) as id from delivery_attempts');
  const rangeSize = 20_000;
  for (let from = 0; from <= Number(last?.id ?? 0); from += rangeSize) {
    const rows = await db.query<{ package_id: string }>(
      `select distinct package_id from delivery_attempts where id > $2 and id <= $3 and driver_id = $1 and outcome = 'failed'`,
      [userId, from, from + rangeSize],
    );
    const ids = rows.map((row) => row.package_id);
    for (let start = 0; start < ids.length; start += batchSize)
      await db.transaction((tx) => redactPackages(tx, userId, ids.slice(start, start + batchSize), pattern));
  }
}

async function redactPackages(tx: Tx, userId: string, ids: string[], pattern: string): Promise<void> {
  const redacted = (column: string) => `regexp_replace(${column}, $2, '${placeholder}', 'gi')`;
  const redact = (columns: string[]) => columns.map((column) => `${column} = ${redacted(column)}`).join(', ');
  const redactedColumns = (columns: string[]) =>
    Object.fromEntries(columns.map((column) => [column, redacted(column)]));
  const matches = (columns: string[]) => `concat_ws(' ', ${columns.join(', ')}) ~* $2`;

  const content = ['name', 'description', 'location', 'issue', 'handling_safe_place'];
  const isUnderWay = "status in ('in transit', 'out for delivery')";
  // Lock all packages first, in ID order, so that concurrent changes wait instead of deadlocking.
  await tx.query('select from packages where id = any($1) order by id for update', [ids]);
  await tx.query(
    packageUpdate({
      where: `id = any($1) and ${matches(content)}`,
      set: { ...redactedColumns(content), version: 'version + 1' },
      returning: 'id',
    }),
    [ids, pattern],
  );
  const recipient = [
    'recipient_name',
    'recipient_contact',
    'recipient_email',
    'recipient_phone',
    'received_by',
    'instructions',
    'address_street',
    'address_postal_code',
    'address_city',
    'address_country',
  ];
  // Proofs whose texts are changed below cannot be compared with their hashes any more, and the old texts not be guessed.
  await tx.query(
    `update proof_links l set salt = null from packages p left join proofs r on r.package_id = p.id
     where p.id = any($1) and l.package_id = p.id and concat_ws(' ', p.received_by, r.note) ~* $2`,
    [ids, pattern],
  );
  await tx.query(
    packageUpdate({
      where: `id = any($1) and not (${isUnderWay}) and ${matches(recipient)}`,
      set: { ...redactedColumns(recipient), version: 'version + 1' },
      returning: 'id',
    }),
    [ids, pattern],
  );
  await tx.query(
    packageUpdate({
      where: `id = any($1) and not (${isUnderWay}) and recipient_changes::text ~* $2`,
      set: { recipient_changes: `${redacted('recipient_changes::text')}::jsonb`, version: 'version + 1' },
      returning: 'id',
    }),
    [ids, pattern],
  );
  await tx.query(
    packageUpdate({
      where: 'id = any($1) and owner_id = $2 and rating_comment is not null',
      set: { rating_comment: 'null', version: 'version + 1' },
      returning: 'id',
    }),
    [ids, userId],
  );
  const texts = {
    package_events: ['note', 'location'],
    delivery_attempts: ['reason'],
    incidents: ['description', 'note', 'location'],
    proofs: ['note', 'place'],
  };
  for (const [table, columns] of Object.entries(texts)) {
    await tx.query(`update ${table} set ${redact(columns)} where package_id = any($1) and ${matches(columns)}`, [
      ids,
      pattern,
    ]);
  }
  await tx.query(
    `update package_events set changes = ${redacted('changes::text')}::jsonb
     where package_id = any($1) and type in ('package.updated', 'package.messaged', 'delivery.reopened') and changes::text ~* $2`,
    [ids, pattern],
  );
  await storeViews(tx, ids);
  // The notifications about these packages: by event, and limited to the users who can have any.
  const isAffected = `event_id = any(array(select id from package_events where package_id = any($1))) and user_id = any(array(
    select unnest(array[e.owner_id, e.driver_id, e.previous_driver_id, i.reporter_id])
      from package_events e left join incidents i on i.package_id = e.package_id and i.number = e.incident_number where e.package_id = any($1)
    union select id from users where role = 'admin' or role_id is not null or permissions is not null))`;
  // Redact each string by itself: in serialized JSON a name that contains a quotation mark is escaped, and would not match.
  const parameters = `coalesce((select jsonb_object_agg(key, case jsonb_typeof(value) when 'string' then to_jsonb(${redacted("value #>> '{}'")}) else value end)
    from jsonb_each(parameters)), parameters)`;
  await tx.query(
    `update notifications set ${redact(['title', 'body'])}, parameters = ${parameters} where ${isAffected} and ${matches(['title', 'body'])}`,
    [ids, pattern],
  );
  await tx.query(
    `update notifications set body = regexp_replace(body, '( was rated \\d of 5 stars): .*$', '\\1.'),
       parameters = parameters || '{"comment": null}'
     where ${isAffected} and type = 'package.rated' and package_id in (select id from packages where owner_id = $2)`,
    [ids, userId],
  );
  // Messages to recipients are sent to the addresses of their package.
  await tx.query(
    "update messages set address = null where package_id = any($1) and audience = 'recipient' and address ~* $2",
    [ids, pattern],
  );
  // Without what was sent their text is rendered from the parameters again. The receiver's answer may repeat an address.
  await tx.query(
    `update messages set content = null, error = ${redacted('error')},
       parameters = case when type = 'package.rated' and package_id in (select id from packages where owner_id = $3) then ${parameters} || '{"comment": null}'
         else ${parameters} end
     where package_id = any($1)`,
    [ids, pattern, userId],
  );
}

/**
 * A PostgreSQL regular expression for the user's name, email address, phone number with any spacing, and licence plate. A name of a
 * single word is left out: it may be an ordinary word.
 */
function identityPattern({ name, email, phone, vehicle_license_plate: plate }: Erasure): string {
  const literal = (text: string) => text.replace(/[^\p{L}\p{N}\p{M}]/gu, String.raw`\$&`);
  const spaced = (text: string) =>
    text
      .trim()
      .split(/\s+/)
      .map(literal)
      .join(String.raw`\s+`);
  const digits = (phone ?? '').replace(/\D/g, '').split('').join('[ ./()-]*');
  const alternatives = [
    /\s/.test(name.trim()) && spaced(name),
    literal(email),
    digits && String.raw`(?:\+|00)?${digits}`,
    plate?.trim() && spaced(plate),
  ].filter((alternative) => alternative);
  return String.raw`(?<!\w)(?:${alternatives.join('|')})(?!\w)`;
}
