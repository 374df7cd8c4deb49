/**
 * The child process that decodes untrusted uploads. It is isolated, so that a file that crashes or hangs the decoder does not affect
 * the server, and has low priority, so that lookups go first.
 */
import { open } from 'node:fs/promises';
import { setPriority } from 'node:os';

/** `source` is the local path to read; `image` and `thumbnail` are the paths to write. */
export interface EncodeRequest {
  source: string;
  /** The declared format. */
  format: keyof typeof magicBytes;
  image: string;
  thumbnail: string;
  /** CPU time limit; wall-clock time depends on the load of the machine. */
  cpuSeconds: number;
}

export type Fault = 'another format' | 'too long a side' | 'too many pixels' | 'damaged' | 'too slow' | 'unavailable';

/** `fault` is null when both files were written. */
export interface EncodeResponse {
  fault: Fault | null;
}

/** Magic bytes by format. Checked first, so that no decoder other than the declared one sees the file. */
const magicBytes = { jpeg: /^\xff\xd8\xff/, png: /^\x89PNG\r\n/, gif: /^GIF8[79]a/, webp: /^RIFF[^]{4}WEBP/ };

// Before importing sharp: its threads inherit the priority.
setPriority(10);
const { default: sharp } = await import('sharp');
sharp.concurrency(1);
sharp.cache(false);

const pixelLimit = 40_000_000;
/** The limit of WebP. Decoders work in whole rows: without a limit, a PNG of 5 KB with 4,000,000 x 10 pixels takes 2 GB. */
const maxSide = 16_383;
const thumbnailSide = 320;

async function readMagicBytes(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(16));
    return buffer.toString('latin1', 0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Works from file to file: buffers in this heap would stay until a garbage collection, and a dozen photos reach the memory limit. */
async function encode({ source, format, ...to }: EncodeRequest): Promise<Fault | null> {
  if (!magicBytes[format].test(await readMagicBytes(source))) return 'another format';
  try {
    const decoder = sharp(source, { limitInputPixels: pixelLimit, failOn: 'error', pages: 1, autoOrient: true });
    // Reads the header only; nothing is decoded yet.
    const header = await decoder.metadata();
    if (header.format !== format) return 'another format';
    if (Math.max(header.width, header.height) > maxSide) return 'too long a side';
    // sharp drops all metadata by default.
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
    // Out of memory: exit, so that it counts as a crash, like an allocation failure that sharp cannot report.
    if (/memory/i.test(String(error))) process.exit(1);
    // A full disk is not the image's fault.
    if (/write (error|failed)/.test(String(error))) throw error;
    return String(error).includes('pixel limit') ? 'too many pixels' : 'damaged';
  }
}

/** Resolves when the CPU time limit is exceeded. Decoding cannot be cancelled: the parent kills this process. */
const exceedsCpuTime = (cpuSeconds: number, signal: AbortSignal) =>
  new Promise<Fault>((resolve) => {
    const before = process.cpuUsage();
    const timer = setInterval(() => {
      const { user, system } = process.cpuUsage(before);
      if (user + system > cpuSeconds * 1e6) resolve('too slow');
    }, 200);
    signal.addEventListener('abort', () => clearInterval(timer));
  });

async function handle(request: EncodeRequest): Promise<void> {
  const done = new AbortController();
  // Errors outside the decoder are not the image's fault, for example an upload that cannot be read.
  const encoded = encode(request).catch((): Fault => 'unavailable');
  const fault = await Promise.race([encoded, exceedsCpuTime(request.cpuSeconds, done.signal)]);
  done.abort();
  process.send?.({ fault } satisfies EncodeResponse);
}

process.on('message', (request: EncodeRequest) => void handle(request));
process.on('disconnect', () => process.exit());
// Signals reach the whole process group. Ignore them: the server drains first, and its exit disconnects this process.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});
