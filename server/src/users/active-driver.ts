import type { Tx } from '../platform/database/db.ts';
import { invalid } from '../platform/errors.ts';

export const notActiveDriver = (field: string) => invalid({ [field]: 'This is not an active driver' });

/** An active driver, locked against a suspension in the same moment. @throws invalid, at this field, where it is none */
export async function requireActiveDriver(tx: Tx, id: string, field = 'driverId'): Promise<void> {
  const rows = await tx.query("select from users where id = $1 and role = 'driver' and status = 'active' for share", [
    id,
  ]);
  if (rows.length === 0) throw notActiveDriver(field);
}
