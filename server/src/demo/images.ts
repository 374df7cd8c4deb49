import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Ctx } from '../ctx.ts';
import { renderSvg, type Illustration } from './illustrations.ts';
import { withImage } from '../images/service.ts';
import { imageUrl } from '../images/names.ts';
import { createTempDir } from '../platform/storage/temp-dir.ts';
import type { Actor } from '../platform/auth/sessions.ts';

type Folder = Parameters<typeof withImage>[3];

/** Creates the demo's images. Loads the image library lazily, since most servers have no demo. */
export async function openImageMaker() {
  const tempDir = await createTempDir();
  /** Set when the storage fails: the demo goes on without images, so that the server can still start. */
  let isUnavailable = false;
  const rendered = new Map<string, Promise<string>>();

  async function render(name: string, illustration: Illustration): Promise<string> {
    const { default: sharp } = await import('sharp');
    const path = join(tempDir.path, name);
    const picture = sharp(Buffer.from(renderSvg(illustration)));
    await (illustration.of === 'signature' ? picture.png() : picture.jpeg({ quality: 90 })).toFile(path);
    return path;
  }
  function renderOnce(illustration: Illustration): Promise<string> {
    const name = `${illustration.of}-${illustration.theme}`;
    const path = rendered.get(name) ?? render(name, illustration);
    rendered.set(name, path);
    return path;
  }
  return {
    /** Starts rendering images in the background. */
    prepare: (illustrations: readonly Illustration[]) => void Promise.allSettled(illustrations.map(renderOnce)),
    /** Calls `use` with the URLs of newly uploaded images, undefined for those without; images that it attaches are kept. */
    async withImages<T>(
      ctx: Ctx,
      actor: Actor,
      illustrations: readonly (Illustration | undefined)[],
      folder: Folder,
      use: (images: (string | undefined)[]) => Promise<T>,
    ): Promise<T> {
      if (illustrations.length === 0) return use([]);
      const [illustration, ...rest] = illustrations;
      const continueWith = (image: string | undefined) =>
        this.withImages(ctx, actor, rest, folder, (images) => use([image, ...images]));
      if (!illustration || isUnavailable) return continueWith(undefined);
      const path = await renderOnce(illustration);
      const [type, extension] = illustration.of === 'signature' ? ['image/png', 'png'] : ['image/jpeg', 'jpg'];
      const file = { name: `${illustration.of}.${extension}`, type, path, size: (await stat(path)).size };
      let isStored = false;
      try {
        return await withImage(ctx, actor, file, folder, (image) => {
          isStored = true;
          return continueWith(imageUrl(image));
        });
      } catch (error) {
        if (isStored) throw error;
        isUnavailable = true;
        ctx.log.warn('the demo goes without further pictures, as none can be stored');
        return continueWith(undefined);
      }
    },
    async [Symbol.asyncDispose]() {
      await Promise.allSettled(rendered.values());
      await tempDir[Symbol.asyncDispose]();
    },
  };
}
export type ImageMaker = Awaited<ReturnType<typeof openImageMaker>>;
