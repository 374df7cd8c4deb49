import type { Extract } from './extract.ts';

/** Roads between crossings: of each node its edges are in a row. Coordinates are ten-millionths of a degree. */
export interface RoadGraph {
  lons: Int32Array;
  lats: Int32Array;
  /** The first edge of each node, and the end. */
  first: Uint32Array;
  to: Uint32Array;
  /** In ms. */
  times: Uint32Array;
  /** In dm. */
  lengths: Uint32Array;
  /** Where the points of each edge between its ends begin, and the end; pairs of longitude and latitude. */
  shapes: Uint32Array;
  shape: Int32Array;
}

interface Edge {
  from: number;
  to: number;
  time: number;
  length: number;
  shape: number[];
}

/** The roads of an extract: their largest part in which every crossing can be reached from every other one. */
export function buildGraph({ ways, points, lons, lats }: Extract): RoadGraph {
  const uses = new Uint8Array(lons.length);
  const use = (point: number, times: number) => (uses[point] = Math.min(2, (uses[point] ?? 0) + times));
  for (const { driven, from, count } of ways) {
    if (!driven) continue;
    for (let n = from; n < from + count; n++) {
      const point = points[n] ?? -1;
      // Where a road ends, and where one leads out of the extract.
      const isEnd = n === from || n === from + count - 1 || points[n - 1] === -1 || points[n + 1] === -1;
      if (point !== -1) use(point, isEnd ? 2 : 1);
    }
  }
  const edges: Edge[] = [];
  for (const { driven, from, count } of ways) {
    if (!driven) continue;
    let [start, length] = [-1, 0];
    let shape: number[] = [];
    let last = -1;
    for (let n = from; n < from + count; n++) {
      const point = points[n] ?? -1;
      if (last !== -1 && point !== -1) length += metresBetween(lons, lats, last, point);
      last = point;
      if (point === -1) start = -1;
      else if ((uses[point] ?? 0) < 2) shape.push(lons[point] ?? 0, lats[point] ?? 0);
      else {
        if (start !== -1 && length > 0) {
          const time = (length / driven.speed) * 3600;
          if (driven.forward) edges.push({ from: start, to: point, time, length, shape });
          if (driven.backward) edges.push({ from: point, to: start, time, length, shape: reversed(shape) });
        }
        [start, length, shape] = [point, 0, []];
      }
    }
  }
  return largestPart(edges, lons, lats);
}

function reversed(shape: number[]): number[] {
  const back: number[] = [];
  for (let n = shape.length - 2; n >= 0; n -= 2) back.push(shape[n] ?? 0, shape[n + 1] ?? 0);
  return back;
}

const metresPerUnit = 111_195 / 1e7;

function metresBetween(lons: Int32Array, lats: Int32Array, one: number, other: number): number {
  const lat = (lats[one] ?? 0) / 1e7;
  const x = ((lons[one] ?? 0) - (lons[other] ?? 0)) * Math.cos((lat * Math.PI) / 180);
  return Math.hypot(x, (lats[one] ?? 0) - (lats[other] ?? 0)) * metresPerUnit;
}

/** Edges in a row for each of `size` nodes. */
function rows(size: number, edges: readonly Edge[], end: 'from' | 'to') {
  const first = new Uint32Array(size + 1);
  for (const edge of edges) first[edge[end] + 1] = (first[edge[end] + 1] ?? 0) + 1;
  for (let n = 0; n < size; n++) first[n + 1] = (first[n + 1] ?? 0) + (first[n] ?? 0);
  const next = first.slice();
  const order = new Uint32Array(edges.length);
  for (const [index, edge] of edges.entries()) {
    const at = next[edge[end]] ?? 0;
    order[at] = index;
    next[edge[end]] = at + 1;
  }
  return { first, order };
}

/** Kosaraju's algorithm, without recursion. */
function largestPart(all: Edge[], lons: Int32Array, lats: Int32Array): RoadGraph {
  const numbers = new Int32Array(lons.length).fill(-1);
  const nodes: number[] = [];
  const numberOf = (point: number) => {
    if (numbers[point] === -1) numbers[point] = nodes.push(point) - 1;
    return numbers[point] ?? 0;
  };
  const edges = all.map((edge) => ({ ...edge, from: numberOf(edge.from), to: numberOf(edge.to) }));
  const size = nodes.length;
  const ahead = rows(size, edges, 'from');
  const back = rows(size, edges, 'to');
  const seen = new Uint8Array(size);
  const finished: number[] = [];
  for (let root = 0; root < size; root++) {
    if (seen[root]) continue;
    const stack = [[root, ahead.first[root] ?? 0]] as [number, number][];
    seen[root] = 1;
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const [node, at] = top;
      if (at === ahead.first[node + 1]) {
        finished.push(node);
        stack.pop();
        continue;
      }
      top[1] = at + 1;
      const next = edges[ahead.order[at] ?? 0]?.to ?? 0;
      if (seen[next]) continue;
      seen[next] = 1;
      stack.push([next, ahead.first[next] ?? 0]);
    }
  }
  const parts = new Int32Array(size).fill(-1);
  let [best, bestSize, part] = [-1, 0, 0];
  for (const root of finished.toReversed()) {
    if (parts[root] !== -1) continue;
    const queue = [root];
    parts[root] = part;
    let members = 0;
    for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
      members += 1;
      for (let at = back.first[node] ?? 0; at < (back.first[node + 1] ?? 0); at++) {
        const next = edges[back.order[at] ?? 0]?.from ?? 0;
        if (parts[next] !== -1) continue;
        parts[next] = part;
        queue.push(next);
      }
    }
    if (members > bestSize) [best, bestSize] = [part, members];
    part += 1;
  }
  const kept = new Int32Array(size).fill(-1);
  const keptNodes: number[] = [];
  for (let node = 0; node < size; node++) if (parts[node] === best) kept[node] = keptNodes.push(node) - 1;
  const inside = edges
    .filter(({ from, to }) => parts[from] === best && parts[to] === best)
    .map((edge) => ({ ...edge, from: kept[edge.from] ?? 0, to: kept[edge.to] ?? 0 }));
  const { first, order } = rows(keptNodes.length, inside, 'from');
  const sorted = Array.from(order, (index) => inside[index]).filter((edge) => edge !== undefined);
  const shapes = new Uint32Array(sorted.length + 1);
  for (const [index, { shape }] of sorted.entries()) shapes[index + 1] = (shapes[index] ?? 0) + shape.length;
  const shape = new Int32Array(shapes.at(-1) ?? 0);
  for (const [index, edge] of sorted.entries()) shape.set(edge.shape, shapes[index]);
  const pointOf = (node: number) => nodes[keptNodes[node] ?? 0] ?? 0;
  return {
    lons: Int32Array.from(keptNodes, (_, node) => lons[pointOf(node)] ?? 0),
    lats: Int32Array.from(keptNodes, (_, node) => lats[pointOf(node)] ?? 0),
    first,
    to: Uint32Array.from(sorted, ({ to }) => to),
    times: Uint32Array.from(sorted, ({ time }) => Math.max(1, Math.round(time))),
    lengths: Uint32Array.from(sorted, ({ length }) => Math.max(1, Math.round(length * 10))),
    shapes,
    shape,
  };
}

const parts = ['lons', 'lats', 'first', 'to', 'times', 'lengths', 'shapes', 'shape'] as const;

/** The graph as bytes: the length of each part, then the parts. */
export function writeGraph(graph: RoadGraph): Buffer {
  const lengths = Uint32Array.from(parts, (part) => graph[part].length);
  return Buffer.concat(
    [lengths, ...parts.map((part) => graph[part])].map((array) =>
      Buffer.from(array.buffer, array.byteOffset, array.byteLength),
    ),
  );
}

/** @throws Error for bytes that are no graph */
export function readGraph(bytes: Uint8Array): RoadGraph {
  const whole = Uint8Array.from(bytes).buffer;
  const lengths = new Uint32Array(whole, 0, parts.length);
  if (lengths.reduce((sum, length) => sum + length * 4, parts.length * 4) !== whole.byteLength)
    throw new Error('the road graph is damaged');
  let at = parts.length * 4;
  const entries = parts.map((part, index) => {
    const length = lengths[index] ?? 0;
    const Numbers = ['lons', 'lats', 'shape'].includes(part) ? Int32Array : Uint32Array;
    const array = new Numbers(whole, at, length);
    at += length * 4;
    return [part, array];
  });
  return Object.fromEntries(entries) as RoadGraph;
}
