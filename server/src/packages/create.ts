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
import { referenceTakenError, trackingIdTaken } from './package-errors.ts';
import { recordPackage } from './package-event.ts';
import { assertNotPast } from './past-dates.ts';
import { takenReferences } from './queries.ts';
import { asPackage } from './row.ts';

export async function createPackage(ctx: Ctx, actor: Actor, input: CreatePackageInput): Promise<Package> {
  const at = ctx.now();
  const id = uuid({ msecs: at.getTime() });
  const { timeZone } = await ctx.settings.find();
  assertNotPast(asContent(input, []), { now: at, timeZone });
  const content = asContent(input, await processPackageImages(ctx, actor, id, input.images));
  return ctx.db.transaction(async (tx) => {
    const trackingId = input.trackingId ?? generateTrackingId();
    // Pipeline both statements. If the account is no longer active, the insert is rolled back.
    const [, pkg] = await Promise.all([
      requireActive(tx, actor.id),
      insertPackage(tx, { id, ownerId: actor.id, trackingId, at }, content),
    ]);
    if (!pkg && content.reference !== null) {
      if ((await takenReferences(tx, actor.id, [content.reference])).size > 0) throw referenceTakenError();
    }
    // A generated ID collides about once in 10^12 times; the caller's retry generates another one.
    if (!pkg) throw new AppError('tracking_id_taken', trackingIdTaken.trackingId, { fields: trackingIdTaken });
    if (content.images.length > 0) await attachImages(tx, actor, `package:${id}`, content.images);
    await recordPackage(tx, ctx, 'package.created', pkg, actor.id);
    return asPackage(ctx, pkg);
  });
}
