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

/**
 * Packages by their recipient, of all owners: at most one more than is shown. Indexes find those that may match, by more than their
 * recipient; each is looked at, the newest first.
 */
export async function findRecipients(ctx: Pick<Ctx, 'longRunning'>, q: string, signal: AbortSignal) {
  const values: unknown[] = patterns(q);
  const value = (given: unknown) => `$${values.push(given)}`;
  const digits = digitsOf(q);
  const mayMatch = [q.toLowerCase(), ...(digits === null ? [] : [digits])].map((term) => searchTexts(term, value));
  const sql = `with found as materialized (
      select package_id as id from package_search found where ${mayMatch.join(' or ')}
      union
      select id from packages where ${hasOthers} and (${others} like $1 or ${others} like $2)
    )
    select packages.* from (select id from found order by id desc) found cross join lateral (
      select id, tracking_id, status, recipient_name, recipient_contact, recipient_email, recipient_phone, address_city as town, received_by,
        exists (select from proofs r where r.package_id = packages.id) as has_proof,
        (select count(*) from messages m where m.package_id = packages.id and m.address is not null)::integer as messages, created_at
      from packages where packages.id = found.id and not recipient_removed and ${matches(
        ['recipient_name', 'recipient_contact', 'recipient_email', 'received_by'],
        ['recipient_contact', 'recipient_phone'],
      )} offset 0
    ) packages
    order by found.id desc limit ${maxPersonRows + 1}`;
  const rows: RecipientRow[] = [];
  for await (const some of ctx.longRunning.streamRows<RecipientRow>(sql, values, signal)) rows.push(...some);
  return rows;
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
      'postalCode', return_postal_code, 'city', return_city, 'country', return_country), 'createdAt', created_at, 'lastLoginAt', last_login_at) as one
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
       'events', (select json_agg(json_build_object('at', e.at, 'type', e.type) order by e.id) from package_events e where e.package_id = p.id),
       'messages', (select json_agg(json_build_object('at', m.at, 'type', m.type, 'channel', m.channel, 'address', m.address, 'state', m.state,
           'content', m.content) order by m.id) from messages m where m.package_id = p.id and m.user_id is null)) as data
     from packages p left join proofs r on r.package_id = p.id where p.id = any($1) and not p.recipient_removed order by p.id`,
    [ids],
  );
