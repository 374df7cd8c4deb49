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

/** What an image comes in as, and what it is kept as. Of a moving picture one frame stays, so a GIF has no use. */
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

/** A file on this machine; its size is in bytes. */
export interface EncodedFile {
  path: string;
  type: string;
  size: number;
}

/**
 * Makes a new image out of what somebody sent: what is kept are pixels that we have decoded and encoded ourselves, so that no
 * metadata and nothing hidden in the file goes on. It goes from file to file: whole images in the memory of this process
 * would hold up everybody each time it is tidied.
 * @param sent the path of what was sent; what is made of it lies beside it
 * @param about the file's name for the message, the field of the input that it is about, and whose turn among the accounts it takes
 * @returns the image, and one in WebP of at most 320 pixels wide and high
 * @throws invalid when its bytes are not what was declared, cannot be decoded, or are too many pixels; unavailable when the encoder died
 */
export async function encodeImage(
  sent: string,
  declared: ImageType,
  { name, field, account }: { name: string; field: string; account: string },
): Promise<{ image: EncodedFile; thumbnail: EncodedFile }> {
  const { format, type } = formatOf(declared);
  const [image, thumbnail] = [`${sent}.image`, `${sent}.thumbnail`];
  const fault = await ask({ sent, format, image, thumbnail }, account);
  if (fault === 'out of order') throw unavailable(5);
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

/** One processor is left to those who look things up, and several workers have one encoder each: its memory is theirs together. */
const atOnce = cluster.isWorker ? 1 : Math.max(1, Math.min(2, availableParallelism() - 1));
/** In all, and of one account. */
const waitingAtMost = { all: 64, account: 12 };
/** The end of patience where the processors are busy with others: an image that asks too much of them ends its encoder by itself. */
const withinMs = 60_000;
const idleMs = 60_000;

/**
 * What one encoder may take. The processor's time ends in a refusal. Memory is the private memory of its process (RLIMIT_DATA, which the
 * kernel holds): the dearest picture of 40 megapixels that we found, a turned 16-bit PNG, takes 731 MB. One process has at
 * most two encoders, several workers one each.
 */
const shipped = { cpuSeconds: 20, memoryKilobytes: 1024 * 1024 };
let limits = shipped;

/** For tests. A function, not a setting: nothing in a server's environment can let a picture take more. */
export function limitEncoders(tighter: Partial<typeof shipped>): void {
  limits = { ...shipped, ...tighter };
  for (const { encoder, end } of idle.splice(0)) {
    clearTimeout(end);
    encoder.disconnect();
  }
}

let running = 0;
/** Those who wait, by account: the accounts take turns, so that one account's many pictures hold up nobody else's one. */
const waiting = new Map<string, (() => void)[]>();
const idle: { encoder: ChildProcess; end: NodeJS.Timeout }[] = [];

async function ask(question: Omit<EncodeRequest, 'cpuSeconds'>, account: string): Promise<Fault | null> {
  if (running >= atOnce) await waitForTurn(account);
  else running++;
  try {
    return await runEncoder({ ...question, cpuSeconds: limits.cpuSeconds });
  } finally {
    // The place is handed on, so that nobody who has just come slips in.
    const next = takeNext();
    if (next) next();
    else running--;
  }
}

async function waitForTurn(account: string): Promise<void> {
  const own = waiting.get(account) ?? [];
  const all = [...waiting.values()].reduce((sum, { length }) => sum + length, 0);
  if (own.length >= waitingAtMost.account || all >= waitingAtMost.all) throw unavailable(5);
  await new Promise<void>((resolve) => waiting.set(account, [...own, resolve]));
}

function takeNext(): (() => void) | null {
  for (const [account, [first, ...others]] of waiting) {
    // Behind everybody else who waits.
    waiting.delete(account);
    if (others.length > 0) waiting.set(account, others);
    if (first) return first;
  }
  return null;
}

async function runEncoder(question: EncodeRequest): Promise<Fault | null> {
  const encoder = acquireEncoder();
  const over = new AbortController();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    encoder.kill('SIGKILL');
  }, withinMs);
  try {
    const answer = await Promise.race([
      (once(encoder, 'message', { signal: over.signal }) as Promise<[EncodeResponse]>).then(([answer]) => answer),
      once(encoder, 'exit', { signal: over.signal }).then(() => null),
      new Promise<null>((resolve) => encoder.send(question, (error) => error && resolve(null))),
    ]);
    if (isLate) throw unavailable(5);
    if (answer === null) return await countCrash(question.sent);
    if (answer.fault === 'too slow') encoder.kill('SIGKILL');
    else releaseEncoder(encoder);
    return answer.fault;
  } finally {
    clearTimeout(timer);
    over.abort();
  }
}

/** How often an encoder died over a file, by what is in the file: sent again it has another name. */
const deaths = new LRUCache<string, number>({ max: 1000 });
const maxCrashes = 3;

/**
 * An encoder that dies may have been ended by the machine, for want of memory or by somebody's hand: that is no fault of the picture,
 * and the upload stays. A file over which encoders die again and again is one that cannot be read.
 */
async function countCrash(sent: string): Promise<Fault> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(sent), hash);
  const file = hash.digest('base64');
  const died = (deaths.get(file) ?? 0) + 1;
  deaths.set(file, died);
  return died < maxCrashes ? 'out of order' : 'damaged';
}

/** One that waits for work, or a new one. It does not keep this process alive, and ends with it. */
function acquireEncoder(): ChildProcess {
  for (let waits = idle.pop(); waits; waits = idle.pop()) {
    clearTimeout(waits.end);
    // It may have died since.
    if (waits.encoder.connected) return waits.encoder;
  }
  // The shell sets the limit and becomes the encoder. Where there is no such limit it goes on without.
  const encoder = fork(join(import.meta.dirname, 'encoder.ts'), {
    execPath: '/bin/sh',
    execArgv: ['-c', `ulimit -d ${limits.memoryKilobytes} 2>/dev/null || :; exec "$0" "$@"`, process.execPath],
    // What one picture took goes back to the machine before the next: glibc would keep much of it, for each of its threads.
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
  encoder.unref();
  encoder.channel?.unref();
}
