import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { ExtractError } from './blocks.ts';
import { boxOf, cutTiles, type CutTile } from './cut.ts';
import { readExtract, type FoundAddress } from './extract.ts';
import { buildGraph, writeGraph } from './graph.ts';

/** What the thread tells; it goes on once the other side has answered, so that no more than one message waits. */
export type ExtractMessage =
  | { progress: number; step: 'read' | 'cut' }
  | { addresses: FoundAddress[] }
  | { tiles: CutTile[] }
  | {
      done: {
        bounds: [west: number, south: number, east: number, north: number];
        ways: number;
        addresses: number;
        crossings: number;
        graph: Uint8Array;
      };
    }
  | { refused: string };

const addressesAtOnce = 5000;
const tilesAtOnce = 100;

const port = parentPort;
const tell = async (message: ExtractMessage): Promise<void> => {
  if (!port) return;
  port.postMessage(message);
  await once(port, 'message');
};
let told = 0;
const progress = (step: 'read' | 'cut') => (part: number) => {
  if (performance.now() - told < 250) return;
  told = performance.now();
  port?.postMessage({ progress: part, step } satisfies ExtractMessage);
};

async function work(file: string): Promise<void> {
  const extract = await readExtract(file, progress('read'));
  for (let n = 0; n < extract.addresses.length; n += addressesAtOnce)
    await tell({ addresses: extract.addresses.slice(n, n + addressesAtOnce) });
  const bounds: [number, number, number, number] = [180, 90, -180, -90];
  for (const way of extract.ways) {
    const box = boxOf(extract, way);
    if (!box) continue;
    for (const n of [0, 1] as const) bounds[n] = Math.min(bounds[n], box[n] / 1e7);
    for (const n of [2, 3] as const) bounds[n] = Math.max(bounds[n], box[n] / 1e7);
  }
  if (bounds[0] > bounds[2]) throw new ExtractError('The extract has neither roads nor buildings.');
  const graph = buildGraph(extract);
  let tiles: CutTile[] = [];
  for (const tile of cutTiles(extract, progress('cut'))) {
    if (tiles.push(tile) < tilesAtOnce) continue;
    await tell({ tiles });
    tiles = [];
  }
  await tell({ tiles });
  await tell({
    done: {
      bounds,
      ways: extract.ways.length,
      addresses: extract.addresses.length,
      crossings: graph.lons.length,
      graph: writeGraph(graph),
    },
  });
}

void work(workerData as string).catch((error: unknown) => {
  if (error instanceof ExtractError) return tell({ refused: error.message });
  throw error;
});
