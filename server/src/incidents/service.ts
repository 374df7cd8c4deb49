import type { Delivery, Package } from '@waybill/contract';
import { v7 as uuid } from 'uuid';
import type { Ctx } from '../ctx.ts';
import { asDelivery, lockOwnDelivery } from '../deliveries/service.ts';
import { asPackage, lockOwnPackage, setPackageIssue, type PackageRow } from '../packages/service.ts';
import type { Tx } from '../platform/db.ts';
import type { Actor } from '../platform/sessions.ts';
import { insertIncident } from './queries.ts';

export const reportOnPackage = (ctx: Ctx, owner: Actor, id: string, issue: string): Promise<Package> =>
  ctx.db.transaction(async (tx) => asPackage(await open(ctx, tx, owner, await lockOwnPackage(tx, owner, id), issue)));

export const reportOnDelivery = (ctx: Ctx, driver: Actor, id: string, issue: string): Promise<Delivery> =>
  ctx.db.transaction(async (tx) =>
    asDelivery(await open(ctx, tx, driver, await lockOwnDelivery(tx, driver, id), issue)),
  );

async function open(ctx: Ctx, tx: Tx, actor: Actor, pkg: PackageRow, issue: string): Promise<PackageRow> {
  const at = ctx.now();
  await insertIncident(tx, {
    id: uuid({ msecs: at.getTime() }),
    packageId: pkg.id,
    reporterId: actor.id,
    type: actor.role === 'driver' ? 'Delivery issue' : 'Package issue',
    description: issue,
    location: pkg.location,
    at,
  });
  return setPackageIssue(ctx, tx, actor, pkg, issue);
}
