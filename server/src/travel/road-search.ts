import type { RoadGraph } from '../maps/osm/graph.ts';
import { straightMetres, type Point } from './estimate.ts';
import type { Block, Way } from './router.ts';

/** A place that is further from any crossing is not on these roads. */
const maxMetres = 1500;
/** From a crossing to the door: roads that are not straight, at 20 km/h. */
const lastRoadFactor = 1.35;
const lastMetresPerSecond = 20 / 3.6;
const units = 1e7;
/** Of the grid that finds the nearest crossing: some 1,100 m from north to south. */
const cellUnits = 100_000;
const cellsAround = 65_536;

export interface RoadSearch {
  /** @returns null if one of the places is not on these roads */
  block(sources: Point[], targets: Point[]): Block | null;
  way(points: Point[]): Way | null;
}

interface Snapped {
  node: number;
  metres: number;
  seconds: number;
}

/** Shortest times by Dijkstra's algorithm, which ends with the last target. */
export function openRoadSearch(graph: RoadGraph): RoadSearch {
  const size = graph.lons.length;
  const cells = new Map<number, number[]>();
  const cellOf = (x: number, y: number) => x * cellsAround + y;
  for (let node = 0; node < size; node++) {
    const key = cellOf(
      Math.floor((graph.lons[node] ?? 0) / cellUnits),
      Math.floor((graph.lats[node] ?? 0) / cellUnits),
    );
    const members = cells.get(key);
    if (members) members.push(node);
    else cells.set(key, [node]);
  }
  const pointOf = (node: number): Point => ({
    lon: (graph.lons[node] ?? 0) / units,
    lat: (graph.lats[node] ?? 0) / units,
  });

  const snap = (point: Point): Snapped | null => {
    const y = Math.floor((point.lat * units) / cellUnits);
    const x = Math.floor((point.lon * units) / cellUnits);
    // Degrees of longitude are narrower away from the equator.
    const wide = Math.min(20, Math.ceil(1.4 / Math.max(0.05, Math.cos((point.lat * Math.PI) / 180))));
    let best: { node: number; metres: number } | null = null;
    for (let j = y - 2; j <= y + 2; j++)
      for (let i = x - wide; i <= x + wide; i++)
        for (const node of cells.get(cellOf(i, j)) ?? []) {
          const metres = straightMetres(point, pointOf(node));
          if (metres <= maxMetres && (!best || metres < best.metres)) best = { node, metres };
        }
    if (!best) return null;
    const metres = best.metres * lastRoadFactor;
    return { node: best.node, metres, seconds: metres / lastMetresPerSecond };
  };

  const times = new Float64Array(size);
  const lengths = new Float64Array(size);
  const edgeTo = new Int32Array(size);
  const from = new Int32Array(size);
  const heap = openHeap();

  /** Fills `times`, `lengths` and the edges that lead to each target. */
  const search = (start: number, targets: ReadonlySet<number>) => {
    times.fill(Infinity);
    let left = targets.size;
    times[start] = 0;
    lengths[start] = 0;
    edgeTo[start] = -1;
    heap.clear();
    heap.push(start, 0);
    while (heap.size() > 0) {
      const { node, key } = heap.pop();
      if (key > (times[node] ?? 0)) continue;
      if (targets.has(node) && --left === 0) return;
      for (let edge = graph.first[node] ?? 0; edge < (graph.first[node + 1] ?? 0); edge++) {
        const next = graph.to[edge] ?? 0;
        const time = key + (graph.times[edge] ?? 0);
        if (time >= (times[next] ?? 0)) continue;
        times[next] = time;
        lengths[next] = (lengths[node] ?? 0) + (graph.lengths[edge] ?? 0);
        edgeTo[next] = edge;
        from[next] = node;
        heap.push(next, time);
      }
    }
  };

  const leg = (source: Snapped, target: Snapped) => ({
    seconds: Math.round(source.seconds + (times[target.node] ?? 0) / 1000 + target.seconds),
    metres: Math.round(source.metres + (lengths[target.node] ?? 0) / 10 + target.metres),
  });

  return {
    block(sources, targets) {
      const starts = sources.map(snap);
      const ends = targets.map(snap);
      const wanted = new Set(ends.flatMap((end) => (end ? [end.node] : [])));
      const block: Block = { seconds: [], metres: [] };
      for (const start of starts) {
        if (!start) return null;
        search(start.node, wanted);
        for (const end of ends) {
          if (!end) return null;
          const { seconds, metres } = leg(start, end);
          block.seconds.push(seconds);
          block.metres.push(metres);
        }
      }
      return block;
    },
    way(points) {
      const way: Way = { legs: [], geometry: points.slice(0, 1) };
      for (const [index, target] of points.slice(1).entries()) {
        const start = snap(points[index] ?? target);
        const end = snap(target);
        if (!start || !end) return null;
        search(start.node, new Set([end.node]));
        way.legs.push(leg(start, end));
        way.geometry.push(...lineTo(end.node), target);
      }
      return way;
    },
  };

  function lineTo(target: number): Point[] {
    const line: Point[] = [pointOf(target)];
    for (let node = target, edge = edgeTo[node] ?? -1; edge !== -1; edge = edgeTo[node] ?? -1) {
      for (let at = (graph.shapes[edge + 1] ?? 0) - 2; at >= (graph.shapes[edge] ?? 0); at -= 2)
        line.push({ lon: (graph.shape[at] ?? 0) / units, lat: (graph.shape[at + 1] ?? 0) / units });
      node = from[node] ?? 0;
      line.push(pointOf(node));
    }
    return line.toReversed();
  }
}

/** A binary heap, the least key first. */
function openHeap() {
  const nodes: number[] = [];
  const keys: number[] = [];
  const swap = (one: number, other: number) => {
    [nodes[one], nodes[other]] = [nodes[other] ?? 0, nodes[one] ?? 0];
    [keys[one], keys[other]] = [keys[other] ?? 0, keys[one] ?? 0];
  };
  return {
    size: () => nodes.length,
    clear() {
      nodes.length = 0;
      keys.length = 0;
    },
    push(node: number, key: number) {
      let at = nodes.push(node) - 1;
      keys.push(key);
      for (let up = (at - 1) >> 1; at > 0 && (keys[up] ?? 0) > key; up = (at - 1) >> 1) {
        swap(at, up);
        at = up;
      }
    },
    pop(): { node: number; key: number } {
      const top = { node: nodes[0] ?? 0, key: keys[0] ?? 0 };
      swap(0, nodes.length - 1);
      nodes.pop();
      keys.pop();
      for (let at = 0; ;) {
        const left = 2 * at + 1;
        const right = left + 1;
        let least = at;
        if (left < keys.length && (keys[left] ?? 0) < (keys[least] ?? 0)) least = left;
        if (right < keys.length && (keys[right] ?? 0) < (keys[least] ?? 0)) least = right;
        if (least === at) return top;
        swap(at, least);
        at = least;
      }
    },
  };
}
