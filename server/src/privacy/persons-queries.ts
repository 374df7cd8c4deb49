import { maxPersonRows, type PackageStatus, type Role } from '@waybill/contract';
import type { Ctx } from '../ctx.ts';
import { searchTexts } from '../packages/search.ts';
import type { Queryable } from '../platform/database/db.ts';
import { likeContains } from '../platform/database/keyset-lists.ts';

/** How often something of a person must be searched for as a number. */
const minDigits = 5;

/** Digits alone, if the search is a phone number. */
const digitsOf = (q: string): string | null => {
  const digits = q.replace(/\D/g, '').replace(/^0+/, '');
  return /^[\d\s()+./-]+$/.test(q) && digits.length >= minDigits ? digits : null;
};

/** A condition on columns: $1 is a pattern of text, $2 one of digits or null. */
const matches = (texts: string[], numbers: string[]): string =>
  `(lower(concat_ws(chr(31), ${texts.join(', ')})) like $1 or regexp_replace(concat_ws(chr(31), ${numbers.join(', ')}), '[ ()./-]', '', 'g') like $2)`;

const patterns = (q: string): [string, string | null] => {
  const digits = digitsOf(q);
  return [likeContains(q.toLowerCase()), digits && `%${digits}%`];
};

export interface AccountRow {
  id: string;
  name: string;
  email: string;
  phone: string | null;
  role: Role;
  created_at: Date;
  under_way: number;
}

const onTheRoad = "status in ('in transit', 'out for delivery')";

/** At most one more than is shown. */
export const findAccounts = (db: Queryable, q: string): Promise<AccountRow[]> =>
  db.query<AccountRow>(
    `select id, name, email, phone, role, created_at, (select count(*) from packages p
         where (p.driver_id = users.id or p.owner_id = users.id) and p.${onTheRoad})::integer as under_way
     from users where deleted_at is null and ${matches(['name', 'email'], ['phone'])} order by id desc limit ${maxPersonRows + 1}`,
    patterns(q),
  );

export interface RecipientRow {
  id: string;
  tracking_id: string;
  status: PackageStatus;
  recipient_name: string;
  recipient_contact: string | null;
  recipient_email: string | null;
  recipient_phone: string | null;
  town: string | null;
  received_by: string | null;
  has_proof: boolean;
  messages: number;
  created_at: Date;
}

/** SQL: what the search texts of packages leave out, and packages that have any of it. Word for word as in the index `packages_persons`. */
const others = `lower(coalesce(recipient_email, '') || ' ' || coalesce(received_by, '')) || ' ' || regexp_replace(coalesce(recipient_phone, ''), '[^0-9]', '', 'g')`;
const hasOthers = `not recipient_removed and (lower(recipient_email) <> lower(coalesce(recipient_contact, ''))
    or regexp_replace(recipient_phone, '[^0-9]', '', 'g') <> coalesce(phone_digits(recipient_contact), '')
    or lower(received_by) <> lower(recipient_name))`;

/** More packages than this that indexes find are rather read one after another, the newest first. */
const maxCandidates = 5_000;
/** Packages that one search reads in this way. */
const maxRead = 200_000;

/** Where a search continues that has not looked at all packages, and when the last one was made that it has looked at. */
interface Older {
  before: string;
  at: Date;
}

/**
 * Packages by their recipient, of all owners: at most one more than is shown, the newest first. Indexes find those that may match, by more
 * than their recipient. Where these are too many, as for a word of most addresses, all packages are read, so many for one search.
 */
export async function findRecipients(
  ctx: Pick<Ctx, 'longRunning'>,
  q: string,
  before: string | null,
  signal: AbortSignal,
  most = { candidates: maxCandidates, read: maxRead },
): Promise<{ rows: RecipientRow[]; older: Older | null }> {
  const { streamRows } = ctx.longRunning;
  let ids: string[] | null = null;
  if (hasTrigram(q)) {
    const [sql, params] = candidatesOf(q, before, most.candidates);
    const [found] = await all(streamRows<{ ids: string[] }>(sql, params, signal));
    ids = found?.ids ?? null;
  }
  if (ids && ids.length <= most.candidates) {
    const params = [...patterns(q), ids];
    return withOlder(await all(streamRows<RecipientRow>(recipients('id = any($3::uuid[])'), params, signal)));
  }
  const [end] = await all(
    streamRows<Older>(
      `select id as before, created_at as at from packages where id = (
         select id from packages where id < $1 order by id desc offset $2 - 1 limit 1)`,
      [before ?? highestId, most.read],
      signal,
    ),
  );
  const params = [...patterns(q), before ?? highestId, end?.before ?? lowestId];
  return withOlder(await all(streamRows<RecipientRow>(recipients('id < $3 and id >= $4'), params, signal)), end);
}

async function all<Row>(batches: AsyncGenerator<Row[]>): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const some of batches) rows.push(...some);
  return rows;
}

const lowestId = '00000000-0000-0000-0000-000000000000';
const highestId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Without three letters or digits in a row no index helps. */
const hasTrigram = (q: string): boolean => /[\p{L}\p{N}]{3}/u.test(q);

/** What may match by the indexes, at most about one more than `most` of each. */
function candidatesOf(q: string, before: string | null, most: number): [sql: string, params: unknown[]] {
  const params: unknown[] = [...patterns(q), before ?? highestId];
  const value = (given: unknown) => `$${params.push(given)}`;
  const digits = digitsOf(q);
  const mayMatch = [q.toLowerCase(), ...(digits === null ? [] : [digits])].map((term) => searchTexts(term, value));
  const sql = `select array(
      (select package_id from package_search found where package_id < $3 and (${mayMatch.join(' or ')}) limit ${most + 1})
      union
      (select id from packages where id < $3 and ${hasOthers} and (${others} like $1 or ${others} like $2) limit ${most + 1})
    ) as ids`;
  return [sql, params];
}

/** SQL: packages that match, the newest first. */
const recipients = (which: string): string =>
  `select id, tracking_id, status, recipient_name, recipient_contact, recipient_email, recipient_phone, address_city as town, received_by,
     exists (select from proofs r where r.package_id = packages.id) as has_proof,
     (select count(*) from messages m where m.package_id = packages.id and m.address is not null)::integer as messages, created_at
   from packages where ${which} and not recipient_removed and ${matches(
     ['recipient_name', 'recipient_contact', 'recipient_email', 'received_by'],
     ['recipient_contact', 'recipient_phone'],
   )} order by id desc limit ${maxPersonRows + 1}`;

/** @param end where reading ended, if it did before the last package */
function withOlder(rows: RecipientRow[], end?: Older): { rows: RecipientRow[]; older: Older | null } {
  const last = rows.length > maxPersonRows ? rows[maxPersonRows - 1] : undefined;
  return { rows, older: last ? { before: last.id, at: last.created_at } : (end ?? null) };
}

/** Locks packages in the order of their ids. */
export const lockRecipients = (
  tx: Queryable,
  ids: string[],
): Promise<{ id: string; tracking_id: string; status: PackageStatus }[]> =>
  tx.query<{ id: string; tracking_id: string; status: PackageStatus }>(
    'select id, tracking_id, status from packages where id = any($1) and not recipient_removed order by id for update',
    [ids],
  );

/** What other tables know of the recipients: messages to them, and entries of owners' address books. Before the packages are erased. */
export async function eraseBesidePackages(tx: Queryable, ids: string[]): Promise<void> {
  await tx.query(
    `delete from addresses a using packages p
     where p.id = any($1) and a.owner_id = p.owner_id and lower(a.name) = lower(p.recipient_name)`,
    [ids],
  );
  await tx.query(
    `update messages set address = null, content = null, error = null,
       state = case when due_at is null then state else 'suppressed' end, reason = case when due_at is null then reason else 'no_address' end, due_at = null
     where package_id = any($1) and user_id is null`,
    [ids],
  );
}

/** Packages that need the account now: it delivers them, or its recipients wait for them. */
export async function countUnderWayOf(tx: Queryable, userId: string): Promise<number> {
  const [row] = await tx.query<{ total: number }>(
    `select count(*)::integer as total from packages where (driver_id = $1 or owner_id = $1) and ${onTheRoad}`,
    [userId],
  );
  return row?.total ?? 0;
}

/** Each as JSON, by the name of its part in the export. `$1` is the account. */
const accountParts: Record<string, string> = {
  profile: `select json_build_object('id', id, 'name', name, 'email', email, 'phone', phone, 'role', role, 'status', status, 'language', language,
      'quietHours', quiet_hours, 'digest', digest, 'yearsOfExperience', years_of_experience, 'vehicle', json_build_object('type', vehicle_type, 'model', vehicle_model,
      'licensePlate', vehicle_license_plate), 'currentLocation', current_location, 'returnAddress', json_build_object('street', return_street,
      'postalCode', return_postal_code, 'city', return_city, 'country', return_country, 'lon', return_lon, 'lat', return_lat), 'createdAt', created_at, 'lastLoginAt', last_login_at) as one
    from users where id = $1`,
  sessions: `select json_build_object('createdAt', created_at, 'lastUsedAt', last_used_at, 'device', user_agent, 'address', address) as one
    from sessions where user_id = $1 order by created_at`,
  notificationPreferences: `select json_build_object('channel', channel, 'kind', kind, 'enabled', enabled) as one
    from notification_preferences where user_id = $1 order by channel, kind`,
  notifications: `select json_build_object('at', created_at, 'type', type, 'title', title, 'body', body, 'readAt', read_at) as one
    from notifications where user_id = $1 order by id limit 10000`,
  messages: `select json_build_object('at', at, 'type', type, 'channel', channel, 'address', address, 'state', state, 'content', content) as one
    from messages where user_id = $1 order by id limit 10000`,
  addressBook: `select json_build_object('name', name, 'street', street, 'postalCode', postal_code, 'city', city, 'country', country) as one
    from addresses where owner_id = $1 order by id`,
  ownedPackages: `select json_build_object('trackingId', tracking_id, 'name', name, 'description', description, 'status', status, 'createdAt', created_at,
      'rating', rating_stars, 'ratingComment', rating_comment) as one from packages where owner_id = $1 order by id limit 10000`,
  deliveries: `select json_build_object('trackingId', p.tracking_id, 'outcome', a.outcome, 'at', a.ended_at) as one
    from delivery_attempts a join packages p on p.id = a.package_id where a.driver_id = $1 order by a.id limit 10000`,
  absences: `select json_build_object('kind', kind, 'from', first_day, 'to', last_day, 'note', note) as one
    from absences where driver_id = $1 order by first_day`,
  history: `select json_build_object('at', at, 'type', type, 'changes', changes) as one from account_events where user_id = $1 order by id limit 10000`,
};

export async function readAccountParts(db: Queryable, userId: string): Promise<Record<string, unknown[]>> {
  const parts: Record<string, unknown[]> = {};
  for (const [name, sql] of Object.entries(accountParts)) {
    const rows = await db.query<{ one: unknown }>(sql, [userId]);
    parts[name] = rows.map(({ one }) => one);
  }
  return parts;
}

export interface RecipientPart {
  id: string;
  tracking_id: string;
  data: object;
  photo: string | null;
  signature: string | null;
}

export const readRecipientParts = (db: Queryable, ids: string[]): Promise<RecipientPart[]> =>
  db.query<RecipientPart>(
    `select p.id, p.tracking_id, r.photo, r.signature, json_build_object('trackingId', p.tracking_id, 'status', p.status, 'createdAt', p.created_at,
       'recipientName', p.recipient_name, 'recipientContact', p.recipient_contact, 'recipientEmail', p.recipient_email, 'recipientPhone', p.recipient_phone,
       'language', p.recipient_language, 'address', json_build_object('street', p.address_street, 'postalCode', p.address_postal_code,
         'city', p.address_city, 'country', p.address_country), 'instructions', p.instructions, 'safePlace', p.handling_safe_place,
       'changes', p.recipient_changes, 'deliveredAt', p.completed_at, 'receivedBy', p.received_by, 'note', r.note,
       'ratingStars', p.recipient_stars, 'ratingComment', p.recipient_comment,
       'events', (select json_agg(json_build_object('at', e.at, 'type', e.type) order by e.id) from package_events e where e.package_id = p.id and e.package_id = any($1)),
       'messages', (select json_agg(json_build_object('at', m.at, 'type', m.type, 'channel', m.channel, 'address', m.address, 'state', m.state,
           'content', m.content) order by m.id) from messages m where m.package_id = p.id and m.user_id is null)) as data
     from packages p left join proofs r on r.package_id = p.id where p.id = any($1) and not p.recipient_removed order by p.id`,
    [ids],
  );
