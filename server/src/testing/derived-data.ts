import { rebuildOn } from '../cli/rebuild.ts';
import type { Connection } from '../platform/database/db.ts';

/** Rebuilds what is derived from packages. @returns what was wrong: nothing, unless something writes packages by statements of its own */
export async function findWrongDerivedData(connection: Connection): Promise<Record<string, number>> {
  return Object.fromEntries(Object.entries(await rebuildOn(connection)).filter(([, wrong]) => wrong > 0));
}
