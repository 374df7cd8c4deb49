import { randomInt } from 'node:crypto';
import { hash, verify, type Options } from '@node-rs/argon2';
import { unavailable } from '../errors.ts';

// OWASP's first choice: argon2id (the library's default) with 19 MiB, 2 passes, 1 lane; some 15 ms.
const productionOptions: Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
let options = productionOptions;

/** For tests, which make hundreds of accounts. A function, not a setting: nothing in a server's environment can weaken its hashes. */
export function useCheapHashes(): void {
  options = { memoryCost: 8, timeCost: 1, parallelism: 1 };
}

// Two at once leave the cores to others; who would be 21st in the queue is better told to come back.
const maxRunning = 2;
const maxQueue = 20;
let running = 0;

interface QueuedHash {
  /** Whose work it is: addresses take turns, so that one with many waits behind its own. */
  address: string;
  start(): void;
  refuse(): void;
}
const queue: QueuedHash[] = [];
/** The addresses that were served last, the latest at the end. */
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
    // The place is handed to the next in line, so `running` only falls when nobody waits.
    const next = dequeue();
    if (next) next.start();
    else running--;
  }
}

/** In a full queue whoever has the most in it gives way to an address that has less. */
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
  // Never served is -1 and comes first; equals in the order in which they came.
  const [next] = queue.toSorted((one, other) => lastServed.indexOf(one.address) - lastServed.indexOf(other.address));
  return next && queue.splice(queue.indexOf(next), 1)[0];
}

/** @param address whose share of the queue it takes */
export const hashPassword = (password: string, address = ''): Promise<string> =>
  runQueued(address, () => hash(password, options));

let verifier = verify;

/** For a test that counts what is verified. @returns what was in its place */
export function replaceVerifier(replacement: typeof verify): typeof verify {
  const before = verifier;
  verifier = replacement;
  return before;
}

let dummy: Promise<string> | null = null;

/** Whether the password fits. An unknown account (null) takes the same time as a known one. */
export async function verifyPassword(stored: string | null, password: string, address = ''): Promise<boolean> {
  // Not in turn: a full queue would refuse it, and that refusal would be kept for every unknown account after.
  const hashed = stored ?? (await (dummy ??= hash('nobody has this password', options)));
  const matches = await runQueued(address, () => verifier(hashed, password, options));
  return matches && stored !== null;
}

// Without letters and digits that look alike: people read it out to each other.
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';

/** A one-time password of 16 characters, some 79 random bits, in groups that can be read out. */
export function generatePassword(): string {
  const characters = Array.from({ length: 16 }, () => alphabet[randomInt(alphabet.length)]).join('');
  return characters.replace(/.{4}(?=.)/g, '$&-');
}
