import { isOnTheRoad, stopRefusals, type ReceiveResult, type StopRefusal } from '@waybill/contract';
import type { Ctx } from '../ctx.ts';
import { findDepotName } from '../depots/service.ts';
import { lockScanned, setAtDepot } from '../packages/on-routes.ts';
import { packageEventNow, recordPackages } from '../packages/package-event.ts';
import { isWithdrawnStatus, type PackageRow } from '../packages/row.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import type { Tx } from '../platform/database/db.ts';
import { notFound } from '../platform/errors.ts';

function refusalOf(pkg: PackageRow | undefined): StopRefusal | null {
  if (!pkg || isWithdrawnStatus(pkg.status)) return 'gone';
  if (isOnTheRoad(pkg.status)) return 'started';
  return pkg.status === 'processing' ? null : 'not_waiting';
}

/** Waiting packages are at this depot from now on. @throws not_found without the depot */
export async function receivePackages(
  ctx: Ctx,
  actor: Actor,
  depotId: string,
  trackingIds: string[],
): Promise<ReceiveResult> {
  return ctx.db.transaction(async (tx) => {
    const name = await findDepotName(tx, depotId);
    if (name === null) throw notFound('depot');
    const scanned = [...new Set(trackingIds.map((id) => id.trim().toUpperCase()))];
    const packages = new Map((await lockScanned(tx, scanned)).map((pkg) => [pkg.tracking_id, pkg]));
    const result: ReceiveResult = { done: [], refused: [] };
    const arriving: PackageRow[] = [];
    for (const trackingId of scanned) {
      const pkg = packages.get(trackingId);
      const code = refusalOf(pkg);
      if (code) result.refused.push({ trackingId, code, message: stopRefusals[code] });
      else if (pkg) {
        result.done.push(pkg.id);
        if (pkg.depot_id !== depotId.toLowerCase() || pkg.location !== name) arriving.push(pkg);
      }
    }
    await putAtDepot(ctx, tx, actor, arriving, { depotId, name });
    return result;
  });
}

/** Waiting packages, which are locked, are at this depot from now on; everybody sees it. */
export async function putAtDepot(
  ctx: Ctx,
  tx: Tx,
  actor: Actor,
  arriving: PackageRow[],
  { depotId, name }: { depotId: string; name: string },
): Promise<void> {
  if (arriving.length === 0) return;
  const changed = await setAtDepot(tx, arriving, { depotId, name, at: ctx.now() });
  const before = new Map(arriving.map((pkg) => [pkg.id, pkg.location]));
  await recordPackages(
    tx,
    changed.map((pkg) => {
      const changes = { location: { from: before.get(pkg.id) ?? null, to: name } };
      return packageEventNow(ctx, 'package.updated', pkg, actor.id, { changes, shown: true });
    }),
  );
}
