import { imageLimits, imageMessages, mayChange, type AddedImage } from '@waybill/contract';
import type { Ctx } from '../ctx.ts';
import { processUploads, attachImages, withImage } from '../images/service.ts';
import { imageUrl } from '../images/names.ts';
import { invalid, notFound } from '../platform/errors.ts';
import type { UploadedFile } from '../platform/http/multipart.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import { asContent, type ContentInput } from './content.ts';
import { changesOf } from './content-changes.ts';
import { setContent } from './content-queries.ts';
import { illegalStep, tooLate } from './package-errors.ts';
import { recordPackage } from './package-event.ts';
import { asPackage, lockPackage } from './row.ts';
import { findAccessiblePackage, scopeOf } from './service.ts';

export const processPackageImages = (
  ctx: Ctx,
  actor: Actor,
  id: string,
  images: readonly string[] = [],
): Promise<string[]> => processUploads(ctx, actor, images, 'packages', `package:${id}`);

/** Adds an image while the package is processing and below the limit. The row lock makes that check safe under concurrency. */
export async function addImage(ctx: Ctx, actor: Actor, id: string, file: UploadedFile): Promise<AddedImage> {
  await findAccessiblePackage(ctx, actor, id);
  return withImage(ctx, actor, file, 'packages', (path) =>
    ctx.db.transaction(async (tx) => {
      const pkg = await lockPackage(tx, id, scopeOf(actor));
      if (!pkg) throw notFound('package');
      if (!mayChange('images', pkg.status)) throw illegalStep(pkg, tooLate);
      if (pkg.images.length >= imageLimits.count) throw invalid({ image: imageMessages.tooMany });
      const images = [...pkg.images, path];
      const before = asPackage(ctx, pkg) as ContentInput;
      const changes = changesOf(asContent(before, pkg.images), asContent(before, images));
      await attachImages(tx, actor, `package:${id}`, images);
      const changed = await setContent(tx, id, asContent(before, images), ctx.now());
      if (!changed) throw notFound('package');
      await recordPackage(tx, ctx, 'package.updated', changed, actor.id, { changes, shown: false });
      return { packageId: id, image: imageUrl(path) };
    }),
  );
}
