import { recordCreated } from '../events/record.ts';
import type { Tx } from '../platform/database/db.ts';
import type { Content } from './content.ts';
import { contentColumnNames } from './content-columns.ts';
import type { PackageRow } from './row.ts';
import { packageInsert, packageUpdate } from './store.ts';
import { storeViews } from './stored-views.ts';

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

/** @returns the new row, or null if the tracking ID or the reference is taken */
export async function insertPackage(
  tx: Tx,
  { id, ownerId, trackingId, at }: { id: string; ownerId: string; trackingId: string; at: Date },
  content: Content,
): Promise<PackageRow | null> {
  const [row] = await tx.query<PackageRow>(
    packageInsert(
      `id, owner_id, tracking_id, created_at, updated_at, status, name, description, category, weight_kg, dimensions_cm, recipient_name,
       recipient_contact, location, eta, address, window_from, window_to, handling, hide_recipient, images, reference, instructions,
       show_sender`,
      `values ($1, $2, $3, $4, $4, 'processing', $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22)`,
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

/** The same columns with their types, for `jsonb_to_recordset`. */
export const contentTypes = `reference text, name text, description text, category text, weight_kg double precision, dimensions_cm jsonb,
  recipient_name text, recipient_contact text, location text, eta date, address jsonb, window_from timestamptz, window_to timestamptz,
  handling jsonb, hide_recipient boolean, instructions text, show_sender boolean`;

/** Content without images, keyed by column name. */
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
  instructions: content.instructions,
  show_sender: content.showSender,
});

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

/**
 * The parameter of `createNewPackages`: built apart, so that an import prepares a batch while the one before is in the database. Columns
 * that are null are left out: most are, and the database reads every name.
 */
export const asNewRows = (packages: NewPackageOfOwner[]): string =>
  JSON.stringify(
    packages.map(({ id, trackingId, content }) => ({
      id,
      tracking_id: trackingId,
      ...Object.fromEntries(Object.entries(contentRow(content)).filter(([, value]) => value !== null)),
    })),
  );

/**
 * Inserts packages of one owner with their `package.created` events, in one statement.
 * @returns the ids of the inserted rows, without those whose tracking ID or reference is taken
 */
export async function createNewPackages(tx: Tx, ownerId: string, at: Date, rows: string): Promise<Set<string>> {
  tx.notifyAfterCommit();
  const created = await tx.query<{ id: string }>(
    packageInsert(
      `id, owner_id, tracking_id, created_at, updated_at, status, ${contentColumns}`,
      `select id, $2, tracking_id, $1, $1, 'processing', ${contentColumns}
       from json_to_recordset($3) as row (id uuid, tracking_id text, ${contentTypes})`,
      'id',
      recordCreated,
    ),
    [at, ownerId, rows],
  );
  const ids = created.map(({ id }) => id);
  await storeViews(tx, ids);
  return new Set(ids);
}

/**
 * Stores edited content. The owner's location only counts while the package is processing; afterwards the driver reports it.
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
        name: '$3',
        description: '$4',
        category: '$5',
        weight_kg: '$6',
        dimensions_cm: '$7',
        recipient_name: '$8',
        recipient_contact: '$9',
        location: "case when status = 'processing' then $10 else location end",
        eta: '$11',
        address: '$12',
        window_from: '$13',
        window_to: '$14',
        handling: '$15',
        hide_recipient: '$16',
        images: '$17',
        reference: '$18',
        instructions: '$19',
        show_sender: '$20',
        estimated_delivery_at: 'coalesce($21, estimated_delivery_at)',
        updated_at: '$2',
        version: 'version + 1',
      },
    }),
    [id, at, ...contentValues(content), expectedAt],
  );
  return row ?? null;
}
