import type { Ctx } from '../ctx.ts';
import type { Tx } from '../platform/database/db.ts';
import { lockNextStop } from './on-routes.ts';
import { recordPackages } from './package-event.ts';
import { changePackages } from './transitions.ts';

/** Marks the first stop in transit of a started route as the next one, where no other is. */
export async function markNextStop(ctx: Pick<Ctx, 'now'>, tx: Tx, routeId: string, actorId: string): Promise<void> {
  const pkg = await lockNextStop(tx, routeId);
  if (!pkg) return;
  const changed = await changePackages(ctx, tx, [{ pkg, to: { kind: 'next' }, actorId }]);
  await recordPackages(
    tx,
    changed.map(({ event }) => event),
  );
}
