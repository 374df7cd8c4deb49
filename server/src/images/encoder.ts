/**
 * The process that decodes what strangers send: apart from the one that serves, so that a file which crashes the decoder, or
 * makes it work for ever, takes nothing else along; and of low priority, so that lookups go first.
 */
import { setPriority } from 'node:os';

export interface Question {
  bytes: Uint8Array;
  /** What its first bytes say. */
  format: 'jpeg' | 'png' | 'gif' | 'webp';
}

export type Answer =
  | { image: Uint8Array; thumbnail: Uint8Array }
  | { fault: 'another format' | 'too many pixels' | 'damaged' | 'too slow' };

/** Before the library starts threads: they take it over. */
setPriority(10);
const { default: sharp } = await import('sharp');
sharp.concurrency(1);
sharp.cache(false);

const pixelLimit = 40_000_000;
const thumbnailSide = 320;

async function encode({ bytes, format }: Question): Promise<Answer> {
  try {
    const decoder = sharp(bytes, { limitInputPixels: pixelLimit, failOn: 'error', pages: 1, autoOrient: true });
    if ((await decoder.metadata()).format !== format) return { fault: 'another format' };
    // Without a word about metadata none is kept.
    const image =
      format === 'jpeg'
        ? await decoder.jpeg({ quality: 85 }).toBuffer()
        : format === 'webp'
          ? await decoder.webp({ quality: 85, effort: 2 }).toBuffer()
          : await decoder.png().toBuffer();
    const small = { width: thumbnailSide, height: thumbnailSide, fit: 'inside', withoutEnlargement: true } as const;
    return { image, thumbnail: await sharp(image).resize(small).webp({ quality: 75 }).toBuffer() };
  } catch (error) {
    // The library's words are for programmers.
    return { fault: String(error).includes('pixel limit') ? 'too many pixels' : 'damaged' };
  }
}

/** Of processor time: how long that takes is the machine's affair. */
const mostSeconds = 20;

/** Answers once the work has taken too much; nothing stops that but the end of this process. */
const isTooSlow = (signal: AbortSignal) =>
  new Promise<Answer>((resolve) => {
    const before = process.cpuUsage();
    const watch = setInterval(() => {
      const { user, system } = process.cpuUsage(before);
      if (user + system > mostSeconds * 1e6) resolve({ fault: 'too slow' });
    }, 200);
    signal.addEventListener('abort', () => clearInterval(watch));
  });

async function answer(question: Question): Promise<void> {
  const over = new AbortController();
  const given = await Promise.race([encode(question), isTooSlow(over.signal)]);
  over.abort();
  process.send?.(given);
}

process.on('message', (question: Question) => void answer(question));
process.on('disconnect', () => process.exit());
// They reach the whole group: the server stops first, in its own time, and this process with it.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});
