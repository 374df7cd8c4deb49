import { accessSync, constants, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';

/**
 * A folder in memory where there is one with room for hundreds of databases: each test opens one, and on a disk they mostly wait for it.
 * That a crash loses nothing is shown by tests with a server of their own.
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
