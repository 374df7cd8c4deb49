import type { Queryable } from '../platform/database/db.ts';
import { packageColumns, type OwnerScope, type PackageRow } from '../packages/row.ts';

/** A package with its owner's name, null once the account is deleted. */
export interface LabelRow extends PackageRow {
  sender: string | null;
}

/** @param ownerId null: of every owner */
export const findLabelRows = (db: Queryable, ids: string[], ownerId: OwnerScope) =>
  db.query<LabelRow>(
    `select ${packageColumns}, (select u.name from users u where u.id = packages.owner_id and u.deleted_at is null) as sender
     from packages where id = any($1::uuid[]) and ($2::uuid is null or owner_id = $2)`,
    [ids, ownerId],
  );
