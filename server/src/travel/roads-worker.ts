import { parentPort, workerData } from 'node:worker_threads';
import { readGraph } from '../maps/osm/graph.ts';
import type { Point } from './estimate.ts';
import { openRoadSearch } from './road-search.ts';

const search = openRoadSearch(readGraph(workerData as Uint8Array));

type Question = { id: number } & ({ sources: Point[]; targets: Point[] } | { points: Point[] });

parentPort?.on('message', (question: Question) => {
  const answer = 'points' in question ? search.way(question.points) : search.block(question.sources, question.targets);
  parentPort?.postMessage({ id: question.id, answer });
});
