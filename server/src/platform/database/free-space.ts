import { statfsSync } from 'node:fs';
import type { Logger } from 'pino';
import { unavailable } from '../errors.ts';
import type { Db } from './db.ts';

/** In bytes: two files of PostgreSQL's log (WAL). */
const keptFree = 2 * 16 * 2 ** 20;
/** How long a look at the disk counts. It takes some microseconds. */
const everyMs = 100;

/** Infinite where the system does not tell, as for a folder that is missing: that must not stop the writes. */
function freeBytesOf(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return Infinity;
  }
}

/**
 * Returns a function that says whether the disk of this folder is full: has less than 32 MB left. PostgreSQL may then have no room for the
 * next file of its log, without which it ends; reads would fail as well. Even refused writes fill that log. Each change is logged.
 */
export function openFreeSpaceCheck(folder: string, log: Logger, freeBytes = freeBytesOf): () => boolean {
  let isFull = false;
  let checkedAt = -Infinity;
  return () => {
    const now = performance.now();
    if (now - checkedAt >= everyMs) {
      checkedAt = now;
      const wasFull = isFull;
      isFull = freeBytes(folder) < keptFree;
      if (isFull && !wasFull) log.error('the disk of DATA_DIR is full: nothing is written until 32 MB are free');
      if (wasFull && !isFull) log.info('the disk of DATA_DIR has room again');
    }
    return isFull;
  };
}

/** A database whose transactions are refused with a 503 while the disk is full, before PostgreSQL is asked. */
export const withFreeSpace = (db: Db, isDiskFull: () => boolean): Db => ({
  ...db,
  async transaction(work) {
    if (isDiskFull()) throw unavailable();
    return db.transaction(work);
  },
});
