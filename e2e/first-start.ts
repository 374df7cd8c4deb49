import { rmSync } from 'node:fs';
import { makeDataDir, startProduct } from './product.ts';

/** Vitest's globalSetup: one first start for the whole run, as it takes seconds. `startProduct` copies its data folder instead. */
export default async function setup(): Promise<(() => void) | undefined> {
  if (process.env.STARTED_ONCE) return undefined;
  const dataDir = makeDataDir();
  await (await startProduct({ DATA_DIR: dataDir })).stop();
  process.env.STARTED_ONCE = dataDir;
  return () => rmSync(dataDir, { recursive: true, force: true });
}
