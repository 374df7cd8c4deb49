import type { PackageStatus, PackageSummary, Rating } from '@waybill/contract';
import type { Queryable, Tx } from '../platform/database/db.ts';
import { countByStatus } from './kept-counts.ts';
import { activeStatuses } from './lists.ts';
import { packageColumns, type OwnerScope, type PackageRow } from './row.ts';
import { packageUpdate, withoutReference } from './store.ts';

/** Returns which of these references packages of the owner have that are neither cancelled nor deleted: by the directory. */
export async function takenReferences(db: Queryable, ownerId: string, references: string[]): Promise<Set<string>> {
  const rows = await db.query<{ reference: string }>(
    'select reference from package_references where owner_id = $1 and reference = any($2)',
    [ownerId, references],
  );
  return new Set(rows.map(({ reference }) => reference));
}

/** Returns which of these tracking IDs are in use. */
export async function takenTrackingIds(db: Queryable, trackingIds: string[]): Promise<Set<string>> {
  const rows = await db.query<{ tracking_id: string }>(
    'select tracking_id from public_views where tracking_id = any($1)',
    [trackingIds],
  );
  return new Set(rows.map((row) => row.tracking_id));
}

/** `takenReferences` by the packages themselves, after the index of packages has refused one. */
export async function findReferences(db: Queryable, ownerId: string, references: string[]): Promise<Set<string>> {
  const rows = await db.query<{ reference: string }>(
    `select reference from packages
     where owner_id = $1 and reference = any($2) and status not in ${withoutReference}`,
    [ownerId, references],
  );
  return new Set(rows.map(({ reference }) => reference));
}

/** Locks and returns up to `limit` packages of the owner that no driver has started. */
export const lockWaitingPackages = (tx: Tx, ownerId: string, limit: number) =>
  tx.query<PackageRow>(
    `select ${packageColumns} from packages where owner_id = $1 and status = 'processing' order by id limit $2 for update`,
    [ownerId, limit],
  );

/** Locks packages in the order of their ids, so that concurrent calls cannot deadlock. @param ownerId null: of every owner */
export const lockPackages = (tx: Tx, ids: string[], ownerId: OwnerScope) =>
  tx.query<PackageRow>(
    `select ${packageColumns} from packages where id = any($1::uuid[]) and ($2::uuid is null or owner_id = $2) order by id for update`,
    [ids, ownerId],
  );

/** @returns the changed rows, in any order */
export const setStatus = (tx: Tx, ids: string[], status: PackageStatus, at: Date) =>
  tx.query<PackageRow>(
    packageUpdate({
      where: 'id = any($1::uuid[])',
      set: { status: '$2', updated_at: '$3', version: 'version + 1', route_id: 'null' },
    }),
    [ids, status, at],
  );

export async function setIssue(tx: Tx, id: string, issue: string | null, at: Date): Promise<PackageRow | null> {
  const [row] = await tx.query<PackageRow>(
    packageUpdate({ where: 'id = $1', set: { issue: '$2', updated_at: '$3', version: 'version + 1' } }),
    [id, issue, at],
  );
  return row ?? null;
}

/** The recipient's own, like `setRating`. */
export async function setRecipientRating(tx: Tx, id: string, rating: Rating): Promise<PackageRow | null> {
  const [row] = await tx.query<PackageRow>(
    packageUpdate({
      where: 'id = $1',
      set: {
        recipient_stars: '$2',
        recipient_comment: '$3',
        recipient_rated_at: '$4',
        version: 'version + 1',
      },
    }),
    [id, rating.stars, rating.comment, rating.at],
  );
  return row ?? null;
}

/** Leaves `updated_at` alone: a rating does not count as an update of the package. */
export async function setRating(tx: Tx, id: string, rating: Rating): Promise<PackageRow | null> {
  const [row] = await tx.query<PackageRow>(
    packageUpdate({
      where: 'id = $1',
      set: { rating_stars: '$2', rating_comment: '$3', rated_at: '$4', version: 'version + 1' },
    }),
    [id, rating.stars, rating.comment, rating.at],
  );
  return row ?? null;
}

export async function countPackages(db: Queryable, ownerId: string): Promise<PackageSummary> {
  const [counts, [unread]] = await Promise.all([
    countByStatus(db, ownerId),
    db.query<{ count: string }>('select count(*) as count from notifications where user_id = $1 and read_at is null', [
      ownerId,
    ]),
  ]);
  const count = (...statuses: PackageStatus[]) => statuses.reduce((sum, status) => sum + (counts.get(status) ?? 0), 0);
  return {
    active: count(...activeStatuses),
    delivered: count('delivered'),
    outForDelivery: count('in transit', 'out for delivery'),
    processing: count('processing'),
    cancelled: count('cancelled'),
    unreadNotifications: Number(unread?.count ?? 0),
  };
}
