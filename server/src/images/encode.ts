import { fork, type ChildProcess } from 'node:child_process';
import cluster from 'node:cluster';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { imageMessages, type ImageType } from '@waybill/contract';
import { LRUCache } from 'lru-cache';
import { invalid, unavailable } from '../platform/errors.ts';
import type { EncodeResponse, Fault, EncodeRequest } from './encoder.ts';

/** Maps the declared format to the stored one. Only one frame of an animation is kept, so a GIF is stored as PNG. */
const formats = [
  { format: 'jpeg', type: 'image/jpeg', extension: 'jpg' },
  { format: 'png', type: 'image/png', extension: 'png' },
  { format: 'gif', type: 'image/png', extension: 'png' },
  { format: 'webp', type: 'image/webp', extension: 'webp' },
] as const;

const formatOf = (declared: ImageType) => {
  const name = declared === 'image/jpg' ? 'jpeg' : declared.slice('image/'.length);
  const format = formats.find(({ format }) => format === name);
  if (!format) throw new Error(`no format for ${declared}`);
  return format;
};

export const extensionOf = (declared: ImageType): string => formatOf(declared).extension;

/** A local file; `size` is in bytes. */
export interface EncodedFile {
  path: string;
  type: string;
  size: number;
}

/**
 * Re-encodes an upload: only pixels that we decoded and encoded ourselves are stored, so metadata and payloads hidden in the file
 * are dropped. Works from file to file: whole images in this process's heap would make garbage collection pause every request.
 * @param source the path of the uploaded file; both results are written beside it
 * @param about `name`: the file name for error messages; `field`: the input field for error messages; `account`: the queue to wait in
 * @returns the image, and a WebP thumbnail of at most 320 x 320 pixels
 * @throws invalid when the bytes do not match the declared type, cannot be decoded, or exceed the pixel limits; unavailable when
 * the queue is full, or the encoder crashed or timed out
 */
export async function encodeImage(
  source: string,
  declared: ImageType,
  { name, field, account }: { name: string; field: string; account: string },
): Promise<{ image: EncodedFile; thumbnail: EncodedFile }> {
  const { format, type } = formatOf(declared);
  const [image, thumbnail] = [`${source}.image`, `${source}.thumbnail`];
  const fault = await encodeInTurn({ source, format, image, thumbnail }, account);
  if (fault === 'unavailable') throw unavailable(5);
  if (fault === 'another format') throw invalid({ [field]: imageMessages.wrongType });
  if (fault) throw invalid({ [field]: `Failed to upload ${name}: ${reasons[fault]}` });
  return { image: await describe(image, type), thumbnail: await describe(thumbnail, 'image/webp') };
}

const describe = async (path: string, type: string): Promise<EncodedFile> => ({
  path,
  type,
  size: (await stat(path)).size,
});

const reasons = {
  'too many pixels': 'it has more than 40 megapixels',
  'too long a side': 'it is more than 16,383 pixels wide or high',
  damaged: 'the image is damaged',
  'too slow': 'it takes too long to read',
};

/** Leaves one CPU for lookups. With several workers each has one encoder, since they share the machine's memory. */
const maxEncoders = cluster.isWorker ? 1 : Math.max(1, Math.min(2, availableParallelism() - 1));
/** Queue limits: in total, and per account. */
const maxWaiting = { all: 64, account: 12 };
/** Wall-clock time-out for when other processes keep the CPUs busy. An image that needs too much CPU hits `cpuSeconds` first. */
const timeoutMs = 60_000;
const idleMs = 60_000;

/**
 * Limits of one encoder. Exceeding `cpuSeconds` refuses the image. `memoryKilobytes` limits the private memory of the process
 * (RLIMIT_DATA, enforced by the kernel): the most expensive image of 40 megapixels that we found, a rotated 16-bit PNG, takes 731 MB.
 */
const defaultLimits = { cpuSeconds: 20, memoryKilobytes: 1024 * 1024 };
let limits = defaultLimits;

/** For tests. A function instead of a setting, so that no environment variable can raise the limits. */
export function setEncoderLimits(tighter: Partial<typeof defaultLimits>): void {
  limits = { ...defaultLimits, ...tighter };
  for (const { encoder, end } of idle.splice(0)) {
    clearTimeout(end);
    encoder.disconnect();
  }
}

let running = 0;
/** Queued requests by account. Round-robin over accounts: many images of one account do not delay the single image of another. */
const waiting = new Map<string, (() => void)[]>();
const idle: { encoder: ChildProcess; end: NodeJS.Timeout }[] = [];

async function encodeInTurn(request: Omit<EncodeRequest, 'cpuSeconds'>, account: string): Promise<Fault | null> {
  if (running >= maxEncoders) await waitForTurn(account);
  else running++;
  try {
    return await runEncoder({ ...request, cpuSeconds: limits.cpuSeconds });
  } finally {
    // Hand the slot over directly, so that a new request cannot overtake the queue.
    const next = dequeue();
    if (next) next();
    else running--;
  }
}

async function waitForTurn(account: string): Promise<void> {
  const own = waiting.get(account) ?? [];
  const all = [...waiting.values()].reduce((sum, { length }) => sum + length, 0);
  if (own.length >= maxWaiting.account || all >= maxWaiting.all) throw unavailable(5);
  await new Promise<void>((resolve) => waiting.set(account, [...own, resolve]));
}

function dequeue(): (() => void) | null {
  for (const [account, [first, ...others]] of waiting) {
    // Reinserting moves the account to the end of the round.
    waiting.delete(account);
    if (others.length > 0) waiting.set(account, others);
    if (first) return first;
  }
  return null;
}

async function runEncoder(request: EncodeRequest): Promise<Fault | null> {
  const encoder = acquireEncoder();
  const done = new AbortController();
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    encoder.kill('SIGKILL');
  }, timeoutMs);
  try {
    const response = await Promise.race([
      (once(encoder, 'message', { signal: done.signal }) as Promise<[EncodeResponse]>).then(([response]) => response),
      once(encoder, 'exit', { signal: done.signal }).then(() => null),
      new Promise<null>((resolve) => encoder.send(request, (error) => error && resolve(null))),
    ]);
    if (timedOut) throw unavailable(5);
    if (response === null) return await countCrash(request.source);
    if (response.fault === 'too slow') encoder.kill('SIGKILL');
    else releaseEncoder(encoder);
    return response.fault;
  } finally {
    clearTimeout(timer);
    done.abort();
  }
}

/** Crashes of encoders, keyed by content hash: the same file uploaded again has another name. */
const crashes = new LRUCache<string, number>({ max: 1000 });
const maxCrashes = 3;

/**
 * A crash may be the OOM killer or an operator, not the image: answer 503 and keep the upload. After `maxCrashes` crashes over
 * the same content, the file counts as damaged.
 */
async function countCrash(source: string): Promise<Fault> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(source), hash);
  const file = hash.digest('base64');
  const count = (crashes.get(file) ?? 0) + 1;
  crashes.set(file, count);
  return count < maxCrashes ? 'unavailable' : 'damaged';
}

/** Returns an idle encoder, or forks one. It exits when this process does: its IPC channel is closed. */
function acquireEncoder(): ChildProcess {
  for (let entry = idle.pop(); entry; entry = idle.pop()) {
    clearTimeout(entry.end);
    // It may have died while idle.
    if (entry.encoder.connected) return entry.encoder;
  }
  // The shell sets the memory limit, then execs the encoder. Where the limit is not supported, the encoder runs without it.
  const encoder = fork(join(import.meta.dirname, 'encoder.ts'), {
    execPath: '/bin/sh',
    execArgv: ['-c', `ulimit -d ${limits.memoryKilobytes} 2>/dev/null || :; exec "$0" "$@"`, process.execPath],
    // Return freed memory to the system after each image: by default glibc keeps much of it, in one arena per thread.
    env: { MALLOC_ARENA_MAX: '1', MALLOC_MMAP_THRESHOLD_: '131072' },
  });
  encoder.on('error', () => {});
  return encoder;
}

function releaseEncoder(encoder: ChildProcess): void {
  const end = setTimeout(() => {
    idle.splice(idle.indexOf(entry), 1);
    encoder.disconnect();
  }, idleMs).unref();
  const entry = { encoder, end };
  idle.push(entry);
  // Idle encoders must not keep this process alive.
  encoder.unref();
  encoder.channel?.unref();
}
