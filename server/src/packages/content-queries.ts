import { tellingJobs, type EventOfPackage } from '../events/event-jobs.ts';
import { createdToTell, recordCreated } from '../events/record.ts';
import type { Tx } from '../platform/database/db.ts';
import type { Content } from './content.ts';
import { contentColumnNames, hashedColumnNames } from './content-columns.ts';
import type { PackageRow } from './row.ts';
import { packageInsert, packageUpdate } from './store.ts';
import { storeViews } from './stored-views.ts';

/** @returns the new row, or null if the tracking ID or the reference is taken */
export async function insertPackage(
  tx: Tx,
  { id, ownerId, trackingId, at }: { id: string; ownerId: string; trackingId: string; at: Date },
  content: Content,
): Promise<PackageRow | null> {
  const [row] = await tx.query<PackageRow>(
    packageInsert(
      `id, owner_id, tracking_id, created_at, updated_at, status, ${contentColumns}`,
      `values ($1, $2, $3, $4, $4, 'processing', ${contentColumnNames.map((_, n) => `$${n + 5}`).join(', ')})`,
    ),
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

/** The columns of the owner's content, as a list in SQL. */
export const contentColumns = contentColumnNames.join(', ');

/** SQL: the hash of a row's content, as `registered_content` has it. */
export const contentHash = `content_hash(${hashedColumnNames.join(', ')})`;

/** The same columns with their types, for `jsonb_to_recordset`. */
export const contentTypes = `reference text, name text, description text, category text, weight numeric, dimensions_cm jsonb,
  recipient_name text, recipient_contact text, location text, eta date, address_street text, address_postal_code text, address_city text,
  address_country text, window_from timestamptz, window_to timestamptz,
  handling_fragile boolean, handling_keep_upright boolean, handling_refrigerated boolean, handling_signature_required boolean,
  handling_safe_place text, hide_recipient boolean, instructions text, show_sender boolean, handling_pin boolean, handling_age smallint, recipient_email text, recipient_phone text,
  recipient_language text, allow_changes boolean`;

/** Content without images, keyed by column name. */
const contentRow = (content: Content) => ({
  reference: content.reference,
  name: content.name,
  description: content.description,
  category: content.category,
  weight: content.weight,
  dimensions_cm: content.dimensions,
  recipient_name: content.recipientName,
  recipient_contact: content.recipientContact,
  location: content.location,
  eta: content.eta,
  address_street: content.address?.street ?? null,
  address_postal_code: content.address?.postalCode ?? null,
  address_city: content.address?.city ?? null,
  address_country: content.address?.country ?? null,
  window_from: content.window?.from ?? null,
  window_to: content.window?.to ?? null,
  handling_fragile: content.handling.fragile,
  handling_keep_upright: content.handling.keepUpright,
  handling_refrigerated: content.handling.refrigerated,
  handling_signature_required: content.handling.signatureRequired,
  handling_pin: content.handling.pin,
  handling_age: content.handling.age,
  handling_safe_place: content.handling.safePlace,
  hide_recipient: content.hideRecipient,
  instructions: content.instructions,
  show_sender: content.showSender,
  recipient_email: content.recipientEmail,
  recipient_phone: content.recipientPhone,
  recipient_language: content.recipientLanguage,
  allow_changes: content.allowChanges,
});

/** Content without images, in the order of `contentColumns`. */
function contentValues(content: Content): unknown[] {
  const row = contentRow(content);
  return contentColumnNames.map((column) => row[column]);
}

/** @returns the inserted rows, without those whose tracking ID or reference is taken */
export async function insertPackages(tx: Tx, packages: NewPackage[]): Promise<PackageRow[]> {
  const rows = packages.map(({ id, ownerId, trackingId, at, content }) => ({
    id,
    owner_id: ownerId,
    tracking_id: trackingId,
    created_at: at,
    ...contentRow(content),
  }));
  return tx.query<PackageRow>(
    packageInsert(
      `id, owner_id, tracking_id, created_at, updated_at, status, ${contentColumns}`,
      `select id, owner_id, tracking_id, created_at, created_at, 'processing', ${contentColumns}
       from jsonb_to_recordset($1) as row (id uuid, owner_id uuid, tracking_id text, created_at timestamptz, ${contentTypes})`,
    ),
    [JSON.stringify(rows)],
  );
}

/** A package to create by `createNewPackages`. */
export type NewPackageOfOwner = Omit<NewPackage, 'ownerId' | 'at'>;

/** Adds these columns of the content to a row of JSON, but for those that are null: most are, and the database reads every name. */
export function withContent<Row extends Record<string, unknown>>(
  row: Row,
  content: Content,
  columns: readonly (keyof ReturnType<typeof contentRow>)[] = contentColumnNames,
): Row {
  const values = contentRow(content);
  const filled: Record<string, unknown> = row;
  for (const column of columns) if (values[column] !== null) filled[column] = values[column];
  return row;
}

/** The parameter of `createNewPackages`: built apart, so that an import prepares a batch while the one before is in the database. */
export const asNewRows = (packages: NewPackageOfOwner[]): string =>
  JSON.stringify(packages.map(({ id, trackingId, content }) => withContent({ id, tracking_id: trackingId }, content)));

/** What `createNewPackages` has inserted, with what is still to be sent for it. */
export interface Created {
  /** Without those whose tracking ID or reference is taken. */
  ids: string[];
  /** The events of those whose recipient can be reached. */
  told: EventOfPackage[];
}

/**
 * Inserts packages of one owner with their `package.created` events, in one statement, which returns one row: reading a row for each takes
 * longer. The public views and the jobs that tell recipients are still to be stored: see `storeCreated`.
 */
export async function createNewPackages(tx: Tx, ownerId: string, at: Date, rows: string): Promise<Created> {
  tx.notifyAfterCommit();
  const [created] = await tx.query<Created>(
    packageInsert(
      `id, owner_id, tracking_id, created_at, updated_at, status, ${contentColumns}`,
      `select id, $2, tracking_id, $1, $1, 'processing', ${contentColumns}
       from json_to_recordset($3) as row (id uuid, tracking_id text, ${contentTypes})`,
      `coalesce(json_agg(id), '[]') as ids, ${createdToTell} as told`,
      recordCreated,
    ),
    [at, ownerId, rows],
  );
  return created ?? { ids: [], told: [] };
}

/** Stores the public views of what `createNewPackages` has inserted, and the jobs that tell the recipients. */
export async function storeCreated(tx: Tx, { ids, told }: Created): Promise<void> {
  await Promise.all([storeViews(tx, ids), tx.enqueue(tellingJobs(told))]);
}

/**
 * Stores edited content; the images are attached before. The owner's location only counts while the package is processing; afterwards the driver reports it.
 * @param expectedAt the new delivery forecast; null keeps the present one
 */
export async function setContent(
  tx: Tx,
  id: string,
  content: Content,
  at: Date,
  expectedAt: Date | null = null,
): Promise<PackageRow | null> {
  const [row] = await tx.query<PackageRow>(
    packageUpdate({
      where: 'id = $1',
      set: {
        ...Object.fromEntries(contentColumnNames.map((column, n) => [column, `$${n + 4}`])),
        location: `case when status = 'processing' then $${contentColumnNames.indexOf('location') + 4} else location end`,
        estimated_delivery_at: 'coalesce($3, estimated_delivery_at)',
        updated_at: '$2',
        version: 'version + 1',
      },
    }),
    [id, at, expectedAt, ...contentValues(content)],
  );
  return row ?? null;
}
