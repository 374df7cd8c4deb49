import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { imageMessages, type ImageType } from '@waybill/contract';
import { invalid, unavailable } from '../platform/errors.ts';
import type { Answer, Fault, Question } from './encoder.ts';

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
 * @param about the file's name for the message, and the field of the input that it is about
 * @returns the image, and one in WebP of at most 320 pixels wide and high
 * @throws invalid when its bytes are not what was declared, cannot be decoded, or are too many pixels
 */
export async function encodeImage(
  sent: string,
  declared: ImageType,
  { name, field }: { name: string; field: string },
): Promise<{ image: EncodedFile; thumbnail: EncodedFile }> {
  const { format, type } = formatOf(declared);
  const [image, thumbnail] = [`${sent}.image`, `${sent}.thumbnail`];
  const fault = await ask({ sent, format, image, thumbnail });
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
  damaged: 'the image is damaged',
  'too slow': 'it takes too long to read',
};

/** One processor is left to those who look things up. */
const atOnce = Math.max(1, Math.min(2, availableParallelism() - 1));
const waitingAtMost = 32;
/** The end of patience where the processors are busy with others: an image that asks too much of them ends its encoder by itself. */
const withinMs = 60_000;
const idleMs = 60_000;

let running = 0;
const waiting: (() => void)[] = [];
const idle: { encoder: ChildProcess; end: NodeJS.Timeout }[] = [];

async function ask(question: Question): Promise<Fault | null> {
  if (running >= atOnce) {
    if (waiting.length >= waitingAtMost) throw unavailable(5);
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else running++;
  try {
    return await askEncoder(question);
  } finally {
    // The place is handed on, so that nobody who has just come slips in.
    const next = waiting.shift();
    if (next) next();
    else running--;
  }
}

async function askEncoder(question: Question): Promise<Fault | null> {
  const encoder = takeEncoder();
  const over = new AbortController();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    encoder.kill('SIGKILL');
  }, withinMs);
  try {
    const answer = await Promise.race([
      (once(encoder, 'message', { signal: over.signal }) as Promise<[Answer]>).then(([answer]) => answer),
      once(encoder, 'exit', { signal: over.signal }).then(() => null),
      new Promise<null>((resolve) => encoder.send(question, (error) => error && resolve(null))),
    ]);
    if (isLate) throw unavailable(5);
    if (answer === null) return 'damaged';
    if (answer.fault === 'too slow') encoder.kill('SIGKILL');
    else giveBack(encoder);
    return answer.fault;
  } finally {
    clearTimeout(timer);
    over.abort();
  }
}

/** One that waits for work, or a new one. It does not keep this process alive, and ends with it. */
function takeEncoder(): ChildProcess {
  for (let waits = idle.pop(); waits; waits = idle.pop()) {
    clearTimeout(waits.end);
    // It may have died since.
    if (waits.encoder.connected) return waits.encoder;
  }
  const encoder = fork(join(import.meta.dirname, 'encoder.ts'), { execArgv: [], env: {} });
  encoder.on('error', () => {});
  return encoder;
}

function giveBack(encoder: ChildProcess): void {
  const end = setTimeout(() => {
    idle.splice(idle.indexOf(entry), 1);
    encoder.disconnect();
  }, idleMs).unref();
  const entry = { encoder, end };
  idle.push(entry);
  encoder.unref();
  encoder.channel?.unref();
}
