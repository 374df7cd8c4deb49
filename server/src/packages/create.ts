import { generateTrackingId, type CreatePackageInput, type Package } from '@waybill/contract';
import { v7 as uuid } from 'uuid';
import type { Ctx } from '../ctx.ts';
import { attachImages } from '../images/service.ts';
import { AppError } from '../platform/errors.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import { requireActive } from '../users/service.ts';
import { asContent } from './content.ts';
import { insertPackage } from './content-queries.ts';
import { processPackageImages } from './images.ts';
import { refuseReference, trackingIdTaken } from './package-errors.ts';
import { recordPackage } from './package-event.ts';
import { refusePast } from './past-dates.ts';
import { takenReferences } from './queries.ts';
import { asPackage } from './row.ts';

export async function createPackage(ctx: Ctx, actor: Actor, input: CreatePackageInput): Promise<Package> {
  const at = ctx.now();
  const id = uuid({ msecs: at.getTime() });
  const { timeZone } = await ctx.settings.find();
  refusePast(asContent(input, []), { now: at, timeZone });
  const content = asContent(input, await processPackageImages(ctx, actor, id, input.images));
  return ctx.db.transaction(async (tx) => {
    const trackingId = input.trackingId ?? generateTrackingId();
    // Both go out at once. What was inserted for somebody who is active no more goes with the transaction.
    const [, pkg] = await Promise.all([
      requireActive(tx, actor.id),
      insertPackage(tx, { id, ownerId: actor.id, trackingId, at }, content),
    ]);
    if (!pkg && content.reference !== null) {
      if ((await takenReferences(tx, actor.id, [content.reference])).size > 0) throw refuseReference();
    }
    // A drawn ID that is taken is one in a million millions; the caller's repeat draws another.
    if (!pkg) throw new AppError('tracking_id_taken', trackingIdTaken.trackingId, { fields: trackingIdTaken });
    if (content.images.length > 0) await attachImages(tx, actor, `package:${id}`, content.images);
    await recordPackage(tx, ctx, 'package.created', pkg, actor.id);
    return asPackage(ctx, pkg);
  });
}
