import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Ctx } from '../ctx.ts';
import { draw, type Illustration } from './illustrations.ts';
import { withImage } from '../images/service.ts';
import { imageUrl } from '../images/names.ts';
import { createTempDir } from '../platform/storage/temp-dir.ts';
import type { Actor } from '../platform/auth/sessions.ts';

type Folder = Parameters<typeof withImage>[3];

/** Where the demo's pictures are made. The library for it is loaded here, so only where there is a demo to tell. */
export async function openImageMaker() {
  const scratch = await createTempDir();
  /** A demo without pictures is one, too: a store that cannot be reached does not stop the start. */
  let closed = false;
  const painted = new Map<string, Promise<string>>();

  async function paint(name: string, drawing: Illustration): Promise<string> {
    const { default: sharp } = await import('sharp');
    const path = join(scratch.path, name);
    const picture = sharp(Buffer.from(draw(drawing)));
    await (drawing.of === 'signature' ? picture.png() : picture.jpeg({ quality: 90 })).toFile(path);
    return path;
  }
  /** The same drawing is painted once. */
  function paintOnce(drawing: Illustration): Promise<string> {
    const name = `${drawing.of}-${drawing.look}`;
    const path = painted.get(name) ?? paint(name, drawing);
    painted.set(name, path);
    return path;
  }
  return {
    /** Begins with what will be asked for, beside everything else. */
    prepare: (drawings: readonly Illustration[]) => void Promise.allSettled(drawings.map(paintOnce)),
    /** Hands `use` the addresses of pictures, as those of images that somebody has just sent; what it shows, stays. */
    async lend<T>(
      ctx: Ctx,
      actor: Actor,
      drawings: readonly (Illustration | undefined)[],
      folder: Folder,
      use: (images: (string | undefined)[]) => Promise<T>,
    ): Promise<T> {
      if (drawings.length === 0) return use([]);
      const [drawing, ...more] = drawings;
      const lendMore = (image: string | undefined) =>
        this.lend(ctx, actor, more, folder, (images) => use([image, ...images]));
      if (!drawing || closed) return lendMore(undefined);
      const path = await paintOnce(drawing);
      const [type, extension] = drawing.of === 'signature' ? ['image/png', 'png'] : ['image/jpeg', 'jpg'];
      const file = { name: `${drawing.of}.${extension}`, type, path, size: (await stat(path)).size };
      let kept = false;
      try {
        return await withImage(ctx, actor, file, folder, (image) => {
          kept = true;
          return lendMore(imageUrl(image));
        });
      } catch (error) {
        if (kept) throw error;
        closed = true;
        ctx.log.warn('the demo goes without further pictures, as none can be stored');
        return lendMore(undefined);
      }
    },
    async [Symbol.asyncDispose]() {
      await Promise.allSettled(painted.values());
      await scratch[Symbol.asyncDispose]();
    },
  };
}
export type ImageMaker = Awaited<ReturnType<typeof openImageMaker>>;
