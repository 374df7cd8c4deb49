import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { imageMessages, type ImageType } from '@waybill/contract';
import { invalid, unavailable } from '../platform/errors.ts';
import type { Answer, Question } from './encoder.ts';

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
  image: Uint8Array;
  /** WebP, at most 320 pixels wide and high. */
  thumbnail: Uint8Array;
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
  const answer = await ask({ bytes, format });
  if (!('fault' in answer)) return { type, ...answer };
  if (answer.fault === 'another format') throw refused(imageMessages.wrongType);
  throw refused(`Failed to upload ${name}: ${reasons[answer.fault]}`);
}

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

async function ask(question: Question): Promise<Answer> {
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

async function askEncoder(question: Question): Promise<Answer> {
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
    if (answer === null) return { fault: 'damaged' };
    if ('fault' in answer && answer.fault === 'too slow') encoder.kill('SIGKILL');
    else giveBack(encoder);
    return answer;
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
  const encoder = fork(join(import.meta.dirname, 'encoder.ts'), { serialization: 'advanced', execArgv: [], env: {} });
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
