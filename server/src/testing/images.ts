import sharp from 'sharp';
import type { TestProduct, TestUser } from './test-product.ts';

export interface TestFile {
  name: string;
  type: string;
  bytes: Buffer;
}

/** Returns a JPEG photo, by default of 640x480. */
export const photo = async (width = 640, height = 480): Promise<TestFile> => ({
  name: 'photo.jpg',
  type: 'image/jpeg',
  bytes: await sharp({ create: { width, height, channels: 3, background: 'teal' } })
    .jpeg()
    .toBuffer(),
});

/** Uploads like a browser: announce the upload, then PUT the file. @returns the `image` for other calls */
export async function uploadImage(product: TestProduct, user: TestUser, file?: TestFile): Promise<string> {
  const { name, type, bytes } = file ?? (await photo());
  const upload = await user.api.images.announce({ body: { name, type: type as 'image/jpeg', size: bytes.length } });
  const { url, method, headers } = upload;
  const put = await fetch(new URL(url, await product.listen()), { method, headers, body: new Uint8Array(bytes) });
  if (!put.ok) throw new Error(`the upload was answered ${put.status}: ${await put.text()}`);
  return upload.image;
}

export const asFile = ({ name, type, bytes }: TestFile): File => new File([new Uint8Array(bytes)], name, { type });
