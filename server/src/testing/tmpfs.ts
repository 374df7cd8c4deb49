import { accessSync, constants, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';

/**
 * Returns a folder on tmpfs if it has space for hundreds of databases, else the temporary folder: each test opens a database, and on a
 * disk the tests mostly wait for I/O. Durability is tested with separate servers.
 */
export function fastestFolder(): string {
  const inMemory = '/dev/shm';
  try {
    accessSync(inMemory, constants.W_OK);
    const { bavail, bsize } = statfsSync(inMemory);
    if (Math.min(bavail * bsize, freemem()) > neededBytes) return inMemory;
  } catch {
    // Not on this system.
  }
  return tmpdir();
}
const neededBytes = 6 * 1024 ** 3;
