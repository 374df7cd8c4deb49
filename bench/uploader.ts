import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@waybill/contract';
import sharp from 'sharp';
import { handleCommands } from './child-process.ts';

/**
 * Uploads a 12-megapixel photo repeatedly until `stop`, which returns the durations in ms; `size` returns the photo's bytes. It
 * simulates a remote phone: it sends at 50 Mbit/s, and with low CPU priority.
 */
export type Command = { url: string; token: string } | 'stop' | 'size';

setPriority(10);
let abort = new AbortController();
let took: Promise<number[]> = Promise.resolve([]);

/** As noisy as a real photo, so that it is as large and as slow to encode. */
const photo = await sharp({
  create: {
    width: 4000,
    height: 3000,
    channels: 3,
    background: 'white',
    noise: { type: 'gaussian', mean: 128, sigma: 40 },
  },
})
  .blur(1)
  .jpeg({ quality: 85 })
  .toBuffer();

async function uploadUntil(signal: AbortSignal, base: string, token: string): Promise<number[]> {
  const api = createClient({ baseUrl: base, token: () => token });
  const times: number[] = [];
  while (!signal.aborted) {
    const startedAt = performance.now();
    const { url, method, headers, image } = await api.images.announce({
      body: { name: 'photo.jpg', type: 'image/jpeg', size: photo.length },
    });
    await send(new URL(url, base), method, headers);
    await api.packages.create({
      body: {
        name: 'With a photo',
        description: 'A package with a photo',
        category: 'Other',
        weight: 1,
        recipientName: 'Anna Schmidt',
        recipientContact: '+49 151 2345678',
        images: [image],
      },
    });
    times.push(performance.now() - startedAt);
  }
  return times;
}

const chunkBytes = 64 * 1024;
/** The interval between chunks, for 50 Mbit/s. */
const chunkMs = 10;

async function send(url: URL, method: string, headers: Record<string, string>): Promise<void> {
  const sending = request(url, { method, headers: { ...headers, 'content-length': photo.length } });
  const answered = once(sending, 'response') as Promise<[IncomingMessage]>;
  for (let sent = 0; sent < photo.length; sent += chunkBytes) {
    sending.write(photo.subarray(sent, sent + chunkBytes));
    await sleep(chunkMs);
  }
  sending.end();
  const [{ statusCode }] = await answered;
  if (statusCode !== 200) throw new Error(`an upload was answered ${statusCode}`);
}

handleCommands((command: Command) => {
  if (command === 'size') return photo.length;
  if (command === 'stop') {
    abort.abort();
    return took;
  }
  abort = new AbortController();
  took = uploadUntil(abort.signal, command.url, command.token);
  took.catch(() => {});
  return null;
});
