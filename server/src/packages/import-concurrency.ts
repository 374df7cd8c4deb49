import { unavailable } from '../platform/errors.ts';

/** Concurrent imports and previews per process: each one holds its file in memory and keeps the database busy. */
const maxConcurrent = 2;
let running = 0;

/** Runs the work in one of the process's import slots. @throws unavailable (retry after 5 s) when all are taken */
export async function withImportSlot<T>(work: () => Promise<T>): Promise<T> {
  if (running >= maxConcurrent) throw unavailable(5);
  running++;
  try {
    return await work();
  } finally {
    running--;
  }
}
