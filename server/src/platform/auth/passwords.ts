import { randomInt } from 'node:crypto';
import { hash, verify, type Options } from '@node-rs/argon2';
import { unavailable } from '../errors.ts';

// OWASP's first recommendation: argon2id (the library's default) with 19 MiB, 2 passes, 1 lane. About 15 ms.
const productionOptions: Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
let options = productionOptions;

/** For tests, which create hundreds of accounts. A function and not a setting, so that no server's environment can weaken its hashes. */
export function useCheapHashes(): void {
  options = { memoryCost: 8, timeCost: 1, parallelism: 1 };
}

// Two at a time leave CPU for other requests. A 21st in the queue gets a 503 instead of a long wait.
const maxRunning = 2;
const maxQueue = 20;
let running = 0;

interface QueuedHash {
  /** Network address of the caller. The queue is fair between addresses: one with many requests waits behind its own. */
  address: string;
  start(): void;
  refuse(): void;
}
const queue: QueuedHash[] = [];
/** The addresses that were served last, most recent at the end. */
let lastServed: string[] = [];

async function runQueued<T>(address: string, work: () => Promise<T>): Promise<T> {
  if (running >= maxRunning) {
    evictFor(address);
    await new Promise<void>((start, reject) => queue.push({ address, start, refuse: () => reject(unavailable()) }));
  } else running++;
  lastServed = [...lastServed.filter((one) => one !== address).slice(-maxQueue), address];
  try {
    return await work();
  } finally {
    // Hand the slot to the next in the queue: `running` only falls when the queue is empty.
    const next = dequeue();
    if (next) next.start();
    else running--;
  }
}

/** In a full queue, evicts the newest entry of the address with the most entries, if this one has at least two fewer. @throws unavailable otherwise */
function evictFor(address: string): void {
  if (queue.length < maxQueue) return;
  const countOf = (one: string) => queue.filter((other) => other.address === one).length;
  const largestAddress =
    queue.toSorted((one, other) => countOf(other.address) - countOf(one.address))[0]?.address ?? address;
  if (countOf(largestAddress) <= countOf(address) + 1) throw unavailable();
  const last = queue.findLastIndex((one) => one.address === largestAddress);
  queue.splice(last, 1)[0]?.refuse();
}

function dequeue(): QueuedHash | undefined {
  // Least recently served address first: indexOf is -1 for one never served. The sort is stable, so ties stay first in, first out.
  const [next] = queue.toSorted((one, other) => lastServed.indexOf(one.address) - lastServed.indexOf(other.address));
  return next && queue.splice(queue.indexOf(next), 1)[0];
}

/** @param address of the caller, for the fair queue @throws unavailable if the queue is full */
export const hashPassword = (password: string, address = ''): Promise<string> =>
  runQueued(address, () => hash(password, options));

let verifier = verify;

/** For tests that count verifications. @returns the verifier it replaces */
export function replaceVerifier(replacement: typeof verify): typeof verify {
  const before = verifier;
  verifier = replacement;
  return before;
}

let dummy: Promise<string> | null = null;

/**
 * Whether the password matches. An unknown account (null) is checked against a dummy hash, so that it takes the same time as a known one.
 *
 * @throws unavailable if the queue is full
 */
export async function verifyPassword(stored: string | null, password: string, address = ''): Promise<boolean> {
  // Not through the queue: a full queue would reject, and the rejected promise would stay cached for every unknown account.
  const hashed = stored ?? (await (dummy ??= hash('nobody has this password', options)));
  const matches = await runQueued(address, () => verifier(hashed, password, options));
  return matches && stored !== null;
}

// Without characters that look alike (0/o, 1/i/l): people read passwords to each other.
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';

/** Generates a one-time password of 16 characters (79 random bits) in groups of 4. */
export function generatePassword(): string {
  const characters = Array.from({ length: 16 }, () => alphabet[randomInt(alphabet.length)]).join('');
  return characters.replace(/.{4}(?=.)/g, '$&-');
}
