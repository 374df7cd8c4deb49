import { unavailable } from '../platform/errors.ts';

/** Imports and previews at once in one process: each keeps its file in memory and the database busy. */
const maxConcurrent = 2;
let underWay = 0;

export async function oneOfFew<T>(work: () => Promise<T>): Promise<T> {
  if (underWay >= maxConcurrent) throw unavailable(5);
  underWay++;
  try {
    return await work();
  } finally {
    underWay--;
  }
}
