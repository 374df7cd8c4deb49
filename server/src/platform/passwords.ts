import { randomInt } from 'node:crypto';
import { hash, verify, type Options } from '@node-rs/argon2';
import { unavailable } from './errors.ts';

// OWASP's first choice: argon2id (the library's default) with 19 MiB, 2 passes, 1 lane; some 15 ms.
const shipped: Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
let options = shipped;

/** For tests, which make hundreds of accounts. A function, not a setting: nothing in a server's environment can weaken its hashes. */
export function hashCheaply(): void {
  options = { memoryCost: 8, timeCost: 1, parallelism: 1 };
}

// Two at once leave the cores to others; who would be 21st in the queue is better told to come back.
const atOnce = 2;
const longestQueue = 20;
let running = 0;
const waiting: (() => void)[] = [];

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= atOnce) {
    if (waiting.length >= longestQueue) throw unavailable();
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else running++;
  try {
    return await work();
  } finally {
    // The place is handed to the next in line, so `running` only falls when nobody waits.
    const next = waiting.shift();
    if (next) next();
    else running--;
  }
}

export const hashPassword = (password: string): Promise<string> => inTurn(() => hash(password, options));

let dummy: Promise<string> | null = null;

/** Whether the password fits. An unknown account (null) takes the same time as a known one. */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  // Not in turn: a full queue would refuse it, and that refusal would be kept for every unknown account after.
  const against = stored ?? (await (dummy ??= hash('nobody has this password', options)));
  const fits = await inTurn(() => verify(against, password, options));
  return fits && stored !== null;
}

// Without letters and digits that look alike: people read it out to each other.
const letters = 'abcdefghjkmnpqrstuvwxyz23456789';

/** A one-time password of 16 characters, some 79 random bits, in groups that can be read out. */
export function drawPassword(): string {
  const drawn = Array.from({ length: 16 }, () => letters[randomInt(letters.length)]).join('');
  return drawn.replace(/.{4}(?=.)/g, '$&-');
}
