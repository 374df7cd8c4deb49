import type {
  Address,
  Handling,
  Package,
  PackageStatus,
  PackageSummary,
  Rating,
  TrackingEvent,
  PackageEventType,
} from '@waybill/contract';
import { packageImageUrl } from '../images/service.ts';
import type { Queryable, Tx } from '../platform/db.ts';

export interface PackageRow {
  id: string;
  owner_id: string;
  tracking_id: string;
  reference: string | null;
  name: string;
  description: string;
  category: string;
  weight_kg: number;
  dimensions_cm: Package['dimensions'];
  recipient_name: string;
  recipient_contact: string | null;
  address: Address | null;
  window_from: Date | null;
  window_to: Date | null;
  handling: Handling;
  hide_recipient: boolean;
  show_sender: boolean;
  instructions: string | null;
  status: PackageStatus;
  location: string | null;
  eta: string | null;
  images: string[];
  driver_id: string | null;
  issue: string | null;
  received_by: string | null;
  started_at: Date | null;
  estimated_delivery_at: Date | null;
  completed_at: Date | null;
  failed_at: Date | null;
  /** Why the last attempt failed, while it waits because of that. */
  failure: string | null;
  rating_stars: number | null;
  rating_comment: string | null;
  rated_at: Date | null;
  created_at: Date;
  updated_at: Date;
  version: number;
}

/** The columns of a PackageRow. */
export const packageColumns = `id, owner_id, tracking_id, reference, name, description, category, weight_kg, dimensions_cm, recipient_name,
  recipient_contact, address, window_from, window_to, handling, hide_recipient, show_sender, instructions, status, location, eta, images, driver_id,
  issue, received_by, started_at, estimated_delivery_at, completed_at, failed_at, rating_stars, rating_comment,
  rated_at, created_at, updated_at, version,
  case when failed_at is not null and status = 'processing' then (
    select note from events where package_id = packages.id and type = 'delivery.failed' order by events.id desc limit 1
  ) end as failure`;

export const oneLine = (address: Address): string =>
  [address.street, [address.postalCode, address.city].filter(Boolean).join(' '), address.country]
    .filter(Boolean)
    .join(', ');

export const asWindow = (row: Pick<PackageRow, 'window_from' | 'window_to'>): Package['window'] =>
  row.window_from && row.window_to ? { from: row.window_from.toISOString(), to: row.window_to.toISOString() } : null;

/** Where a package goes and whose it is, as SQL. */
export const destinationColumns = (pkg: string): string =>
  `${pkg}.owner_id, ${pkg}.address, ${pkg}.window_from, ${pkg}.window_to,
  (select name from users where id = ${pkg}.owner_id and deleted_at is null) as owner`;

/** Null in rows of what is no package. Times are texts where the database has built JSON of them. */
export interface DestinationRow {
  owner_id: string | null;
  address: Address | null;
  window_from: Date | string | null;
  window_to: Date | string | null;
  owner: string | null;
}

export const asDestination = ({ address, window_from: from, window_to: to, owner }: DestinationRow) => ({
  recipientAddress: address && oneLine(address),
  window: from && to ? { from: new Date(from).toISOString(), to: new Date(to).toISOString() } : null,
  owner,
});

/**
 * Whether a package is under way past the end of its window, or of its eta's day in the zone, as SQL. The first condition is what the
 * index `packages_due` knows: days in UTC, which end at most 14 hours before those of any zone, or after.
 */
export const isOverdue = (now: string, zone: string): string =>
  `coalesce(window_to, (eta + 1)::timestamp at time zone 'UTC') <= ${now}::timestamptz + interval '14 hours'
   and coalesce(window_to, (eta + 1)::timestamp at time zone ${zone}) <= ${now}
   and status in ('processing', 'in transit', 'out for delivery')`;

export const asRating = (row: PackageRow): Rating | null =>
  row.rating_stars && row.rated_at
    ? { stars: row.rating_stars, comment: row.rating_comment, at: row.rated_at.toISOString() }
    : null;

/**
 * Where it is, for whoever may see its address. The column says what everybody may know: of what is delivered the town, which is why
 * nothing of this may be written back to it.
 */
export const locationOf = (row: Pick<PackageRow, 'status' | 'address' | 'location'>): string | null =>
  row.status === 'delivered' && row.address ? oneLine(row.address) : row.location;

/** Neither takes place any more: who may see the package gets signed addresses of its pictures, everybody else none. */
export const isWithdrawnStatus = (status: PackageStatus): boolean => status === 'cancelled' || status === 'inactive';

export function asPackage(signer: Parameters<typeof packageImageUrl>[0], row: PackageRow): Package {
  const completedAt = row.completed_at?.toISOString() ?? null;
  return {
    _id: row.id,
    id: row.id,
    userId: row.owner_id,
    trackingId: row.tracking_id,
    reference: row.reference,
    name: row.name,
    description: row.description,
    category: row.category,
    weight: row.weight_kg,
    dimensions: row.dimensions_cm,
    recipientName: row.recipient_name,
    recipientContact: row.recipient_contact,
    recipientAddress: row.address && oneLine(row.address),
    address: row.address,
    window: asWindow(row),
    handling: row.handling,
    instructions: row.instructions,
    hideRecipient: row.hide_recipient,
    showSender: row.show_sender,
    status: row.status,
    location: locationOf(row),
    eta: row.eta,
    images: row.images.map((path) => packageImageUrl(signer, path, isWithdrawnStatus(row.status))),
    driverId: row.driver_id,
    issue: row.issue,
    startTime: row.started_at?.toISOString() ?? null,
    estimatedDeliveryTime: row.estimated_delivery_at?.toISOString() ?? null,
    actualDeliveryTime: completedAt,
    completedAt,
    receivedBy: row.received_by,
    failedAttempt:
      row.status === 'processing' && row.failed_at ? { at: row.failed_at.toISOString(), reason: row.failure } : null,
    rating: asRating(row),
    createdAt: row.created_at.toISOString(),
    lastUpdate: row.updated_at.toISOString(),
    version: row.version,
  };
}

/** The part of a package that its owner writes. */
export interface Content {
  reference: string | null;
  name: string;
  description: string;
  category: string;
  weight: number;
  dimensions: Package['dimensions'];
  recipientName: string;
  recipientContact: string | null;
  location: string | null;
  eta: string | null;
  address: Address | null;
  window: Package['window'];
  handling: Handling;
  instructions: string | null;
  hideRecipient: boolean;
  showSender: boolean;
  /** Paths. */
  images: string[];
}

const contentValues = (content: Content) => [
  content.name,
  content.description,
  content.category,
  content.weight,
  content.dimensions,
  content.recipientName,
  content.recipientContact,
  content.location,
  content.eta,
  content.address,
  content.window?.from ?? null,
  content.window?.to ?? null,
  content.handling,
  content.hideRecipient,
  content.images,
  content.reference,
  content.instructions,
  content.showSender,
];

/** @returns the new row, or null when the tracking ID or the reference is taken */
export async function insertPackage(
  tx: Tx,
  { id, ownerId, trackingId, at }: { id: string; ownerId: string; trackingId: string; at: Date },
  content: Content,
): Promise<PackageRow | null> {
  const [row] = await tx.query<PackageRow>(
    `insert into packages (id, owner_id, tracking_id, created_at, updated_at, status, name, description, category, weight_kg,
       dimensions_cm, recipient_name, recipient_contact, location, eta, address, window_from, window_to, handling, hide_recipient,
       images, reference, instructions, show_sender)
     values ($1, $2, $3, $4, $4, 'processing', $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22)
     on conflict do nothing returning ${packageColumns}`,
    [id, ownerId, trackingId, at, ...contentValues(content)],
  );
  return row ?? null;
}

export interface NewPackage {
  id: string;
  ownerId: string;
  trackingId: string;
  at: Date;
  content: Content;
}

/** What an owner wrote, in the order in which `package_content` takes it. */
export const contentColumns = `reference, name, description, category, weight_kg, dimensions_cm, recipient_name, recipient_contact, location,
  eta, address, window_from, window_to, handling, hide_recipient`;

/** The same with their types, as a record of JSON is read. */
export const contentTypes = `reference text, name text, description text, category text, weight_kg double precision, dimensions_cm jsonb,
  recipient_name text, recipient_contact text, location text, eta date, address jsonb, window_from timestamptz, window_to timestamptz,
  handling jsonb, hide_recipient boolean`;

/** Content without pictures by the names of its columns. */
export const contentRow = (content: Content) => ({
  reference: content.reference,
  name: content.name,
  description: content.description,
  category: content.category,
  weight_kg: content.weight,
  dimensions_cm: content.dimensions,
  recipient_name: content.recipientName,
  recipient_contact: content.recipientContact,
  location: content.location,
  eta: content.eta,
  address: content.address,
  window_from: content.window?.from ?? null,
  window_to: content.window?.to ?? null,
  handling: content.handling,
  hide_recipient: content.hideRecipient,
});

/** @returns the new rows; those whose tracking ID or reference is taken are not among them */
export async function insertPackages(tx: Tx, packages: NewPackage[]): Promise<PackageRow[]> {
  const rows = packages.map(({ id, ownerId, trackingId, at, content }) => ({
    id,
    owner_id: ownerId,
    tracking_id: trackingId,
    created_at: at,
    ...contentRow(content),
    instructions: content.instructions,
    show_sender: content.showSender,
  }));
  return tx.query<PackageRow>(
    `insert into packages (id, owner_id, tracking_id, created_at, updated_at, status, instructions, show_sender, ${contentColumns})
     select id, owner_id, tracking_id, created_at, created_at, 'processing', instructions, show_sender, ${contentColumns}
     from jsonb_to_recordset($1) as row (id uuid, owner_id uuid, tracking_id text, created_at timestamptz, instructions text,
       show_sender boolean, ${contentTypes})
     on conflict do nothing returning ${packageColumns}`,
    [JSON.stringify(rows)],
  );
}

/** Only what waits is where its owner says. */
export async function setContent(tx: Tx, id: string, content: Content, at: Date): Promise<PackageRow | null> {
  const [row] = await tx.query<PackageRow>(
    `update packages set name = $3, description = $4, category = $5, weight_kg = $6, dimensions_cm = $7, recipient_name = $8,
       recipient_contact = $9, location = case when status = 'processing' then $10 else location end, eta = $11, address = $12,
       window_from = $13, window_to = $14, handling = $15, hide_recipient = $16, images = $17, reference = $18, instructions = $19,
       show_sender = $20, updated_at = $2,
       version = version + 1
     where id = $1 returning ${packageColumns}`,
    [id, at, ...contentValues(content)],
  );
  return row ?? null;
}

/** Of these references, those that a package of the owner has that is neither cancelled nor deleted. */
export async function takenReferences(db: Queryable, ownerId: string, references: string[]): Promise<Set<string>> {
  const rows = await db.query<{ reference: string }>(
    `select reference from packages
     where owner_id = $1 and reference = any($2) and status not in ('cancelled', 'inactive')`,
    [ownerId, references],
  );
  return new Set(rows.map(({ reference }) => reference));
}

/** Whose packages a caller reaches: their own, or everybody's (null). */
export type OwnerScope = string | null;

export async function findPackage(db: Queryable, id: string, ownerId: OwnerScope): Promise<PackageRow | null> {
  const [row] = await db.query<PackageRow>(
    `select ${packageColumns} from packages where id = $1 and ($2::uuid is null or owner_id = $2)`,
    [id, ownerId],
  );
  return row ?? null;
}

/** Locks the row until the transaction ends: every change of a package starts here, so changes happen one after the other. */
export async function lockPackage(tx: Tx, id: string, ownerId: OwnerScope = null): Promise<PackageRow | null> {
  const [row] = await tx.query<PackageRow>(
    `select ${packageColumns} from packages where id = $1 and ($2::uuid is null or owner_id = $2) for update`,
    [id, ownerId],
  );
  return row ?? null;
}

/** Some of the owner's packages that no driver has started, locked. */
export const lockWaitingPackages = (tx: Tx, ownerId: string, limit: number) =>
  tx.query<PackageRow>(
    `select ${packageColumns} from packages where owner_id = $1 and status = 'processing' order by id limit $2 for update`,
    [ownerId, limit],
  );

/** Whom an account event concerns, and who did it: the user, where a restored backup has it done again. */
export async function findUserEvent(db: Queryable, id: string): Promise<{ user_id: string; actor_id: string } | null> {
  const [row] = await db.query<{ user_id: string; actor_id: string }>(
    'select user_id, coalesce(actor_id, user_id) as actor_id from events where id = $1 and user_id is not null',
    [id],
  );
  return row ?? null;
}

export async function setStatus(tx: Tx, id: string, status: PackageStatus, at: Date): Promise<PackageRow | null> {
  const [row] = await tx.query<PackageRow>(
    `update packages set status = $2, updated_at = $3, version = version + 1 where id = $1 returning ${packageColumns}`,
    [id, status, at],
  );
  return row ?? null;
}

export async function setIssue(tx: Tx, id: string, issue: string | null, at: Date): Promise<PackageRow | null> {
  const [row] = await tx.query<PackageRow>(
    `update packages set issue = $2, updated_at = $3, version = version + 1 where id = $1 returning ${packageColumns}`,
    [id, issue, at],
  );
  return row ?? null;
}

/** Not an update that anybody has to hear of: the time of the last one stays. */
export async function setRating(tx: Tx, id: string, rating: Rating): Promise<PackageRow | null> {
  const [row] = await tx.query<PackageRow>(
    `update packages set rating_stars = $2, rating_comment = $3, rated_at = $4, version = version + 1
     where id = $1 returning ${packageColumns}`,
    [id, rating.stars, rating.comment, rating.at],
  );
  return row ?? null;
}

export async function countPackages(db: Queryable, ownerId: string): Promise<PackageSummary> {
  const [row] = await db.query<Record<keyof PackageSummary, string>>(
    `select count(*) filter (where status not in ('delivered', 'inactive')) as "active",
            count(*) filter (where status = 'delivered') as "delivered",
            count(*) filter (where status in ('in transit', 'out for delivery')) as "outForDelivery",
            (select count(*) from notifications where user_id = $1 and read_at is null) as "unreadNotifications"
     from packages where owner_id = $1`,
    [ownerId],
  );
  return {
    active: Number(row?.active ?? 0),
    delivered: Number(row?.delivered ?? 0),
    outForDelivery: Number(row?.outForDelivery ?? 0),
    unreadNotifications: Number(row?.unreadNotifications ?? 0),
  };
}

export interface EventRow {
  id: string;
  type: PackageEventType;
  status: string;
  at: Date;
  location: string | null;
  actor: string | null;
  note: string | null;
  changes: TrackingEvent['changes'];
}

/** The place of a delivery is its address, for whoever may see that. */
export const asTrackingEvent = (pkg: PackageRow, row: EventRow): TrackingEvent => ({
  ...row,
  at: row.at.toISOString(),
  location: row.status === 'delivered' ? locationOf(pkg) : row.location,
});

export const listEvents = (db: Queryable, packageId: string, before: string | null, limit: number) =>
  db.query<EventRow>(
    `select e.id, e.type, e.status, e.at, e.location, u.name as actor, e.note, e.changes
     from events e left join users u on u.id = e.actor_id
     where e.package_id = $1 and ($2::bigint is null or e.id < $2)
     order by e.id desc limit $3`,
    [packageId, before, limit],
  );

export async function countEvents(db: Queryable, packageId: string): Promise<number> {
  const [row] = await db.query<{ total: string }>('select count(*) as total from events where package_id = $1', [
    packageId,
  ]);
  return Number(row?.total ?? 0);
}
