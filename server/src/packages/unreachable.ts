import type { Ctx } from '../ctx.ts';
import type { Tx } from '../platform/database/db.ts';
import { recordPackage } from './package-event.ts';
import { lockPackage } from './row.ts';

const eventTypes = { email: 'package.unreachable', sms: 'package.number-unreachable' } as const;

/** Records that messages to the recipient of a package come back, once. @param since when the address was found not to work */
export async function recordUnreachable(
  tx: Tx,
  ctx: Pick<Ctx, 'now'>,
  channel: keyof typeof eventTypes,
  packageId: string,
  since: Date,
): Promise<void> {
  const pkg = await lockPackage(tx, packageId);
  if (!pkg) return;
  const told = await tx.query<{ id: string }>(
    `select id from package_events where package_id = $1 and type = $3 and at >= $2 limit 1`,
    [packageId, since, eventTypes[channel]],
  );
  if (told.length === 0) await recordPackage(tx, ctx, eventTypes[channel], pkg, null);
}
