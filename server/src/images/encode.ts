import { imageMessages, type ImageType } from '@waybill/contract';
import sharp, { type Sharp } from 'sharp';
import { AppError, invalid, unavailable } from '../platform/errors.ts';

// Two images at once, each on one thread, and nothing kept afterwards: the rest of the machine answers lookups.
sharp.concurrency(1);
sharp.cache(false);
const atOnce = 2;
const waitingAtMost = 32;

const pixelLimit = 40_000_000;
const thumbnailSide = 320;
const secondsAtMost = 20;

/** What an image comes in as, its first bytes, and what it is kept as. Of a moving picture one frame stays, so a GIF has no use. */
const formats = [
  { format: 'jpeg', type: 'image/jpeg', extension: 'jpg', starts: /^\xff\xd8\xff/ },
  { format: 'png', type: 'image/png', extension: 'png', starts: /^\x89PNG\r\n/ },
  { format: 'gif', type: 'image/png', extension: 'png', starts: /^GIF8[79]a/ },
  { format: 'webp', type: 'image/webp', extension: 'webp', starts: /^RIFF[^]{4}WEBP/ },
] as const;

const formatOf = (declared: ImageType) => {
  const name = declared === 'image/jpg' ? 'jpeg' : declared.slice('image/'.length);
  const format = formats.find(({ format }) => format === name);
  if (!format) throw new Error(`no format for ${declared}`);
  return format;
};

export const extensionOf = (declared: ImageType): string => formatOf(declared).extension;

export interface Encoded {
  type: string;
  image: Buffer;
  /** WebP, at most 320 pixels wide and high. */
  thumbnail: Buffer;
}

/**
 * Makes a new image out of what somebody sent: what is kept are pixels that we have decoded and encoded ourselves, so that no
 * metadata and nothing hidden in the file goes on.
 * @param about the file's name for the message, and the field of the input that it is about
 * @throws invalid when its bytes are not what was declared, cannot be decoded, or are too many pixels
 */
export async function encodeImage(
  bytes: Buffer,
  declared: ImageType,
  { name, field }: { name: string; field: string },
): Promise<Encoded> {
  const refused = (message: string) => invalid({ [field]: message });
  const { format, type, starts } = formatOf(declared);
  if (!starts.test(bytes.toString('latin1', 0, 16))) throw refused(imageMessages.wrongType);
  return await inTurn(async () => {
    try {
      const source = { limitInputPixels: pixelLimit, failOn: 'error', pages: 1, autoOrient: true } as const;
      const decoder = sharp(bytes, source).timeout({ seconds: secondsAtMost });
      const found = await decoder.metadata();
      if (found.format !== format) throw refused(imageMessages.wrongType);
      const image = await encoders[type](decoder).toBuffer();
      const small = { width: thumbnailSide, height: thumbnailSide, fit: 'inside', withoutEnlargement: true } as const;
      const thumbnail = await sharp(image).resize(small).webp({ quality: 75 }).toBuffer();
      return { type, image, thumbnail };
    } catch (error) {
      if (error instanceof AppError) throw error;
      throw refused(`Failed to upload ${name}: ${reasonOf(error)}`);
    }
  });
}

const encoders = {
  'image/jpeg': (image: Sharp) => image.jpeg({ quality: 85 }),
  'image/png': (image: Sharp) => image.png({ compressionLevel: 6 }),
  'image/webp': (image: Sharp) => image.webp({ quality: 85, effort: 2 }),
};

/** The library's words are for programmers. */
function reasonOf(error: unknown): string {
  const words = error instanceof Error ? error.message : '';
  if (words.includes('pixel limit')) return 'it has more than 40 megapixels';
  if (words.includes('timeout')) return 'it takes too long to read';
  return 'the image is damaged';
}

let running = 0;
const waiting: (() => void)[] = [];

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= atOnce) {
    if (waiting.length >= waitingAtMost) throw unavailable(5);
    await new Promise<void>((resolve) => waiting.push(resolve));
  }
  running++;
  try {
    return await work();
  } finally {
    running--;
    waiting.shift()?.();
  }
}
