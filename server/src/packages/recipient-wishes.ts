import type { Tx } from '../platform/database/db.ts';
import type { PackageRow, StoredChange, Wishes } from './row.ts';
import { packageUpdate } from './store.ts';

/** Requires the row lock. */
export async function raiseLinkVersion(tx: Tx, id: string): Promise<PackageRow | null> {
  const [row] = await tx.query<PackageRow>(
    packageUpdate({ where: 'id = $1', set: { link_version: 'link_version + 1' } }),
    [id],
  );
  return row ?? null;
}

/**
 * Stores the recipient's changes and what they set. Requires the row lock.
 * @param expectedAt the new delivery forecast; null keeps the present one
 */
export async function setWishes(
  tx: Tx,
  id: string,
  wishes: Wishes,
  changes: StoredChange[],
  { at, expectedAt }: { at: Date; expectedAt: Date | null },
): Promise<PackageRow | null> {
  const [row] = await tx.query<PackageRow>(
    packageUpdate({
      where: 'id = $1',
      set: {
        window_from: '$2::timestamptz',
        window_to: '$3::timestamptz',
        eta: '$4::date',
        instructions: '$5::text',
        handling_safe_place: '$6::text',
        next_step: '$7::text',
        next_day: '$8::date',
        depot_id: '$9::uuid',
        recipient_changes: '$10::jsonb',
        estimated_delivery_at: 'coalesce($11::timestamptz, estimated_delivery_at)',
        updated_at: '$12::timestamptz',
        version: 'version + 1',
      },
    }),
    [
      id,
      wishes.window?.from ?? null,
      wishes.window?.to ?? null,
      wishes.eta,
      wishes.instructions,
      wishes.safePlace,
      wishes.nextStep,
      wishes.nextDay,
      wishes.depotId,
      changes.length === 0 ? null : JSON.stringify(changes),
      expectedAt,
      at,
    ],
  );
  return row ?? null;
}

/** Requires the row lock. Other changes of the package are not based on it, so its version stays. */
export async function setAcknowledged(tx: Tx, id: string, changes: StoredChange[]): Promise<PackageRow | null> {
  const [row] = await tx.query<PackageRow>(
    packageUpdate({ where: 'id = $1', set: { recipient_changes: '$2::jsonb' } }),
    [id, JSON.stringify(changes)],
  );
  return row ?? null;
}
