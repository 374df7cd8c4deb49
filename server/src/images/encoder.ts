/**
 * The process that decodes what strangers send: apart from the one that serves, so that a file which crashes the decoder, or
 * makes it work for ever, takes nothing else along; and of low priority, so that lookups go first.
 */
import { open } from 'node:fs/promises';
import { setPriority } from 'node:os';

/** Paths of files on this machine: one to read, two to write. */
export interface EncodeRequest {
  sent: string;
  /** What it was declared as. */
  format: keyof typeof starts;
  image: string;
  thumbnail: string;
  /** Processor time that it may take; how long that is is the machine's affair. */
  cpuSeconds: number;
}

export type Fault = 'another format' | 'too long a side' | 'too many pixels' | 'damaged' | 'too slow' | 'out of order';

/** Without a fault both files are written. */
export interface EncodeResponse {
  fault: Fault | null;
}

/** The first bytes, as the decoder of that format wants them: no other decoder gets to see the file. */
const starts = { jpeg: /^\xff\xd8\xff/, png: /^\x89PNG\r\n/, gif: /^GIF8[79]a/, webp: /^RIFF[^]{4}WEBP/ };

/** Before the library starts threads: they take it over. */
setPriority(10);
const { default: sharp } = await import('sharp');
sharp.concurrency(1);
sharp.cache(false);

const pixelLimit = 40_000_000;
/**
 * WebP's own bound. The decoders work in whole rows: without a bound a PNG of 5 KB, 4,000,000 x 10 pixels, takes 2 GB.
 */
const maxSide = 16_383;
const thumbnailSide = 320;

async function readStart(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(16));
    return buffer.toString('latin1', 0, bytesRead);
  } finally {
    await file.close();
  }
}

/**
 * From file to file: bytes in this process's own heap would stay until a garbage collection, and a dozen photos of them would come
 * up to its memory limit.
 */
async function encode({ sent, format, ...to }: EncodeRequest): Promise<Fault | null> {
  if (!starts[format].test(await readStart(sent))) return 'another format';
  try {
    const decoder = sharp(sent, { limitInputPixels: pixelLimit, failOn: 'error', pages: 1, autoOrient: true });
    // Out of the header: nothing is decoded yet.
    const header = await decoder.metadata();
    if (header.format !== format) return 'another format';
    if (Math.max(header.width, header.height) > maxSide) return 'too long a side';
    // Without a word about metadata none is kept.
    const encoder =
      format === 'jpeg'
        ? decoder.jpeg({ quality: 85 })
        : format === 'webp'
          ? decoder.webp({ quality: 85, effort: 2 })
          : decoder.png();
    await encoder.toFile(to.image);
    const small = { width: thumbnailSide, height: thumbnailSide, fit: 'inside', withoutEnlargement: true } as const;
    await sharp(to.image).resize(small).webp({ quality: 75 }).toFile(to.thumbnail);
    return null;
  } catch (error) {
    // The library's words are for programmers. Memory that was wanting ends this process, as it does where the library cannot say so.
    if (/memory/i.test(String(error))) process.exit(1);
    return String(error).includes('pixel limit') ? 'too many pixels' : 'damaged';
  }
}

/** Answers once the work has taken too much; nothing stops that but the end of this process. */
const isTooSlow = (cpuSeconds: number, signal: AbortSignal) =>
  new Promise<Fault>((resolve) => {
    const before = process.cpuUsage();
    const watch = setInterval(() => {
      const { user, system } = process.cpuUsage(before);
      if (user + system > cpuSeconds * 1e6) resolve('too slow');
    }, 200);
    signal.addEventListener('abort', () => clearInterval(watch));
  });

async function answer(question: EncodeRequest): Promise<void> {
  const over = new AbortController();
  // A full disk is not the image's fault.
  const encoded = encode(question).catch((): Fault => 'out of order');
  const fault = await Promise.race([encoded, isTooSlow(question.cpuSeconds, over.signal)]);
  over.abort();
  process.send?.({ fault } satisfies EncodeResponse);
}

process.on('message', (question: EncodeRequest) => void answer(question));
process.on('disconnect', () => process.exit());
// They reach the whole group: the server stops first, in its own time, and this process with it.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});
