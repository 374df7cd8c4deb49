import type { PackageStatus, PackageSummary, Rating } from '@waybill/contract';
import type { Queryable, Tx } from '../platform/database/db.ts';
import { packageColumns, type OwnerScope, type PackageRow } from './row.ts';
import { packageUpdate } from './store.ts';

/** Returns which of these references are used by packages of the owner that are neither cancelled nor deleted. */
export async function takenReferences(db: Queryable, ownerId: string, references: string[]): Promise<Set<string>> {
  const rows = await db.query<{ reference: string }>(
    `select reference from packages
     where owner_id = $1 and reference = any($2) and status not in ('cancelled', 'inactive')`,
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

export async function setStatus(tx: Tx, id: string, status: PackageStatus, at: Date): Promise<PackageRow | null> {
  const [row] = await tx.query<PackageRow>(
    packageUpdate({ where: 'id = $1', set: { status: '$2', updated_at: '$3', version: 'version + 1' } }),
    [id, status, at],
  );
  return row ?? null;
}

export async function setIssue(tx: Tx, id: string, issue: string | null, at: Date): Promise<PackageRow | null> {
  const [row] = await tx.query<PackageRow>(
    packageUpdate({ where: 'id = $1', set: { issue: '$2', updated_at: '$3', version: 'version + 1' } }),
    [id, issue, at],
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
  // Grouping first reads the index in its order, which takes half the time of testing each row.
  const [row] = await db.query<Record<keyof PackageSummary, string | null>>(
    `select sum(packages) filter (where status not in ('delivered', 'inactive')) as "active",
            sum(packages) filter (where status = 'delivered') as "delivered",
            sum(packages) filter (where status in ('in transit', 'out for delivery')) as "outForDelivery",
            (select count(*) from notifications where user_id = $1 and read_at is null) as "unreadNotifications"
     from (select status, count(*) as packages from packages where owner_id = $1 group by status) counted`,
    [ownerId],
  );
  return {
    active: Number(row?.active ?? 0),
    delivered: Number(row?.delivered ?? 0),
    outForDelivery: Number(row?.outForDelivery ?? 0),
    unreadNotifications: Number(row?.unreadNotifications ?? 0),
  };
}
