import type { Tx } from '../platform/database/db.ts';
import { invalid } from '../platform/errors.ts';

export const notActiveDriver = (field: string) => invalid({ [field]: 'This is not an active driver' });

/** Locks an active driver against a concurrent suspension. @returns false when it is not an active driver */
export async function isActiveDriver(tx: Tx, id: string): Promise<boolean> {
  const rows = await tx.query("select from users where id = $1 and role = 'driver' and status = 'active' for share", [
    id,
  ]);
  return rows.length > 0;
}

/** Locks an active driver against a concurrent suspension. @throws invalid for `field` when it is not an active driver */
export async function requireActiveDriver(tx: Tx, id: string, field = 'driverId'): Promise<void> {
  if (!(await isActiveDriver(tx, id))) throw notActiveDriver(field);
}
