import type { Ctx } from '../ctx.ts';
import type { Tx } from '../platform/database/db.ts';
import { recordPackage } from './package-event.ts';
import { lockPackage } from './row.ts';

/** Records that messages to the recipient of a package come back, once. @param since when the address was found not to work */
export async function recordUnreachable(tx: Tx, ctx: Pick<Ctx, 'now'>, packageId: string, since: Date): Promise<void> {
  const pkg = await lockPackage(tx, packageId);
  if (!pkg) return;
  const told = await tx.query<{ id: string }>(
    `select id from package_events where package_id = $1 and type = 'package.unreachable' and at >= $2 limit 1`,
    [packageId, since],
  );
  if (told.length === 0) await recordPackage(tx, ctx, 'package.unreachable', pkg, null);
}
