import { openRenderThread } from '../platform/render-thread.ts';

/** A tile that is cut from what the program has: the world, or the demo's town. */
export interface MadeTile {
  of: 'world' | 'town';
  z: number;
  x: number;
  y: number;
}

/** In a thread: reading the world takes a second, and a tile up to a quarter. */
export const makeTile: (tile: MadeTile) => Promise<Uint8Array> = openRenderThread(
  new URL('tile-worker.ts', import.meta.url),
  {
    timeoutMs: 30_000,
    maxWaiting: 500,
  },
);
