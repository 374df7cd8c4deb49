import type { Progress } from './limit.ts';
import type { Random } from './random.ts';

/** The nearest successors that moves are tried with. */
const neighbours = 10;
/** Stops that are moved together. */
const longestSegment = 3;
/** How long the two neighbouring segments are at most that a kick exchanges. */
const longestKick = 30;
/** In mean arcs. */
const temperature = 0.03;
/** After so many iterations for each node without a shorter tour the search goes on from the best one, with a kick for each so many nodes. */
const patience = 50;
const nodesForKick = 8;
/** Iterations between two looks at the clock. */
const stride = 32;
/** Smaller changes of the cost are rounding errors. */
const smallest = 1e-7;

/**
 * Shortens a closed tour through all nodes: iterated local search of 2-opt and Or-opt moves with neighbour lists and a queue of the nodes
 * that a change concerns (instead of don't-look bits). A kick exchanges two neighbouring segments (a local double bridge); what does not
 * lead to an acceptable tour is taken back.
 * @param cost of the arc from a to b at `a * size + b`; it need not be symmetric
 * @param initial all nodes, in any order
 * @param onBetter receives each tour that is shorter than all before; the array is reused
 */
export function improveTour(
  cost: Float64Array,
  size: number,
  initial: Int32Array,
  random: Random,
  progress: Progress,
  onBetter: (tour: Int32Array, cost: number) => void,
): void {
  const tour = initial.slice();
  const place = new Int32Array(size);
  for (let at = 0; at < size; at++) place[tour[at]!] = at;
  const near = nearestNodes(cost, size);
  const symmetric = isSymmetric(cost, size);

  /** What it costs more to drive the tour backwards up to a place. Only for matrices that are not symmetric. */
  const backwards = new Float64Array(size + 1);
  let isStale = !symmetric;
  const arc = (a: number, b: number) => cost[a * size + b]!;
  const following = (node: number) => {
    const at = place[node]! + 1;
    return tour[at === size ? 0 : at]!;
  };
  const preceding = (node: number) => {
    const at = place[node]!;
    return tour[at === 0 ? size - 1 : at - 1]!;
  };

  /** What reversing the path from one node forward to another costs, without its ends. */
  function costOfReversal(from: number, to: number): number {
    if (symmetric) return 0;
    if (isStale) {
      isStale = false;
      for (let at = 0; at < size; at++) {
        const next = tour[at + 1 === size ? 0 : at + 1]!;
        backwards[at + 1] = backwards[at]! + arc(next, tour[at]!) - arc(tour[at]!, next);
      }
    }
    const difference = backwards[place[to]!]! - backwards[place[from]!]!;
    return place[to]! >= place[from]! ? difference : difference + backwards[size]!;
  }

  // What a kick and the search after it overwrite, to take it back.
  let journal = new Int32Array(1024);
  let journalLength = 0;
  let isRecording = false;
  function put(at: number, node: number): void {
    if (isRecording) {
      if (journalLength + 2 > journal.length) {
        const longer = new Int32Array(2 * journal.length);
        longer.set(journal);
        journal = longer;
      }
      journal[journalLength++] = at;
      journal[journalLength++] = tour[at]!;
    }
    tour[at] = node;
    place[node] = at;
  }
  function takeBack(): void {
    while (journalLength > 0) {
      const node = journal[--journalLength]!;
      const at = journal[--journalLength]!;
      tour[at] = node;
      place[node] = at;
    }
    isStale = !symmetric;
  }

  /** Reverses the path from one node forward to another; if it is symmetric, the rest of the tour where that is shorter. */
  function reverse(from: number, to: number): void {
    let first = place[from]!;
    let last = place[to]!;
    let count = last - first + 1;
    if (count <= 0) count += size;
    if (symmetric && 2 * count > size) {
      const former = first;
      first = last + 1 === size ? 0 : last + 1;
      last = former === 0 ? size - 1 : former - 1;
      count = size - count;
    }
    for (let swaps = count >> 1; swaps > 0; swaps--) {
      const a = tour[first]!;
      put(first, tour[last]!);
      put(last, a);
      if (++first === size) first = 0;
      if (--last < 0) last = size - 1;
    }
    isStale = !symmetric;
  }

  const segment = new Int32Array(Math.max(longestSegment, 2 * longestKick));

  /** Moves `count` nodes from `first` on, reversed or not, between `left` and the node that follows it. */
  function moveSegment(first: number, count: number, left: number, isReversed: boolean): void {
    let at = place[first]!;
    for (let index = 0; index < count; index++) segment[index] = tour[(at + index) % size]!;
    const target = place[left]!;
    let forward = target - (at + count - 1);
    if (forward < 0) forward += size;
    if (forward >= size) forward -= size;
    const backward = size - count - forward;
    if (forward <= backward) {
      // The nodes behind the segment, up to `left`, move to the front.
      let source = (at + count) % size;
      for (let step = 0; step < forward; step++) {
        put(at, tour[source]!);
        if (++at === size) at = 0;
        if (++source === size) source = 0;
      }
    } else {
      // The nodes in front of the segment, down to the one that follows `left`, move to the back.
      at = (at + count - 1) % size;
      let source = (at - count + size) % size;
      for (let step = 0; step < backward; step++) {
        put(at, tour[source]!);
        if (--at < 0) at = size - 1;
        if (--source < 0) source = size - 1;
      }
      at = (at - count + 1 + size) % size;
    }
    for (let index = 0; index < count; index++) {
      put(at, segment[isReversed ? count - 1 - index : index]!);
      if (++at === size) at = 0;
    }
    isStale = !symmetric;
  }

  // Nodes whose moves are to be tried.
  const queue = new Int32Array(size);
  const isQueued = new Uint8Array(size);
  let queueStart = 0;
  let queueLength = 0;
  function enqueue(node: number): void {
    if (isQueued[node] === 1) return;
    isQueued[node] = 1;
    let at = queueStart + queueLength++;
    if (at >= size) at -= size;
    queue[at] = node;
  }

  /** 2-opt: replaces two arcs and reverses the path between them. @returns the change of the cost, 0 without a move */
  function tryTwoOpt(a: number): number {
    const next = following(a);
    const previous = preceding(a);
    const toNext = arc(a, next);
    const fromPrevious = arc(previous, a);
    for (let index = a * near.count; index < (a + 1) * near.count; index++) {
      const c = near.list[index]!;
      const added = arc(a, c);
      if (added >= toNext && added >= fromPrevious) break;
      const nextOfC = following(c);
      if (added < toNext && c !== next && nextOfC !== a) {
        const change = added + arc(next, nextOfC) - toNext - arc(c, nextOfC);
        const delta = change < -smallest || !symmetric ? change + costOfReversal(next, c) : 0;
        if (delta < -smallest) {
          reverse(next, c);
          enqueue(a);
          enqueue(c);
          enqueue(next);
          enqueue(nextOfC);
          return delta;
        }
      }
      const previousOfC = preceding(c);
      if (added < fromPrevious && c !== previous && previousOfC !== a) {
        const change = added + arc(previous, previousOfC) - fromPrevious - arc(previousOfC, c);
        const delta = change < -smallest || !symmetric ? change + costOfReversal(a, previousOfC) : 0;
        if (delta < -smallest) {
          reverse(a, previousOfC);
          enqueue(a);
          enqueue(c);
          enqueue(previous);
          enqueue(previousOfC);
          return delta;
        }
      }
    }
    return 0;
  }

  /** Or-opt: moves a segment of up to three nodes that begins or ends with `a` beside one of its nearest nodes. */
  function tryOrOpt(a: number): number {
    for (let count = 1; count <= longestSegment && count < size - 2; count++) {
      for (let side = 0; side < (count === 1 ? 1 : 2); side++) {
        const startsHere = side === 0;
        let other = a;
        let reversal = 0;
        for (let step = 1; step < count; step++) {
          const neighbour = startsHere ? following(other) : preceding(other);
          if (!symmetric) {
            reversal += startsHere
              ? arc(neighbour, other) - arc(other, neighbour)
              : arc(other, neighbour) - arc(neighbour, other);
          }
          other = neighbour;
        }
        const first = startsHere ? a : other;
        const last = startsHere ? other : a;
        const before = preceding(first);
        const behind = following(last);
        const saved = arc(before, first) + arc(last, behind) - arc(before, behind);
        if (saved <= smallest) continue;
        for (let index = a * near.count; index < (a + 1) * near.count; index++) {
          const c = near.list[index]!;
          if (Math.min(arc(a, c), arc(c, a)) >= saved) break;
          // Distance from the segment's first place along the tour tells whether c is in the segment.
          let offset = place[c]! - place[first]!;
          if (offset < 0) offset += size;
          if (offset < count) continue;
          // Between c and what follows it: a stands beside c.
          const nextOfC = following(c);
          if (c !== before) {
            const isReversed = !startsHere;
            const delta = arc(c, a) + arc(other, nextOfC) - arc(c, nextOfC) - saved + (isReversed ? reversal : 0);
            if (delta < -smallest) {
              moveSegment(first, count, c, isReversed);
              for (const node of [a, other, before, behind, c, nextOfC]) enqueue(node);
              return delta;
            }
          }
          // Between what precedes c and c.
          const previousOfC = preceding(c);
          if (c !== behind) {
            const isReversed = startsHere;
            const delta =
              arc(previousOfC, other) + arc(a, c) - arc(previousOfC, c) - saved + (isReversed ? reversal : 0);
            if (delta < -smallest) {
              moveSegment(first, count, previousOfC, isReversed);
              for (const node of [a, other, before, behind, c, previousOfC]) enqueue(node);
              return delta;
            }
          }
        }
      }
    }
    return 0;
  }

  function descend(): number {
    let change = 0;
    while (queueLength > 0) {
      const node = queue[queueStart]!;
      if (++queueStart === size) queueStart = 0;
      queueLength--;
      isQueued[node] = 0;
      for (;;) {
        const delta = tryTwoOpt(node) || tryOrOpt(node);
        if (delta === 0) break;
        change += delta;
      }
    }
    return change;
  }

  function kick(): number {
    const longest = Math.min(longestKick, Math.floor((size - 1) / 3));
    const one = 1 + random.below(longest);
    const two = 1 + random.below(longest);
    const begin = random.below(size);
    const at = (offset: number) => tour[(begin + offset) % size]!;
    const [before, first, lastOfOne, firstOfTwo, last, behind] = [
      at(0),
      at(1),
      at(one),
      at(one + 1),
      at(one + two),
      at(one + two + 1),
    ] as const;
    const change =
      arc(before, firstOfTwo) +
      arc(last, first) +
      arc(lastOfOne, behind) -
      arc(before, first) -
      arc(lastOfOne, firstOfTwo) -
      arc(last, behind);
    for (let index = 0; index < one + two; index++) segment[index] = at(1 + index);
    for (let index = 0; index < one + two; index++)
      put((begin + 1 + index) % size, segment[index < two ? one + index : index - two]!);
    isStale = !symmetric;
    enqueue(before);
    enqueue(first);
    enqueue(lastOfOne);
    enqueue(firstOfTwo);
    enqueue(last);
    enqueue(behind);
    return change;
  }

  const costOfTour = () => {
    let sum = 0;
    for (let at = 0; at < size; at++) sum += arc(tour[at]!, tour[at + 1 === size ? 0 : at + 1]!);
    return sum;
  };

  if (size > 3) {
    for (let at = 0; at < size; at++) enqueue(tour[at]!);
    descend();
  }
  let current = costOfTour();
  let best = current;
  onBetter(tour, current);
  if (size < 5) return;
  const bestTour = tour.slice();
  const degrees = (temperature * current) / size;
  let least = current;
  let fruitless = 0;
  for (let iteration = 0; ; iteration++) {
    if (iteration % stride === 0 && !(progress.share(iteration) < 1)) return;
    if (fruitless++ > patience * size) {
      isRecording = false;
      for (let at = 0; at < size; at++) put(at, bestTour[at]!);
      for (let kicks = size / nodesForKick; kicks > 0; kicks--) kick();
      descend();
      current = costOfTour();
      least = current;
      fruitless = 0;
    }
    isRecording = true;
    journalLength = 0;
    const change = kick() + descend();
    if (!(change < -degrees * Math.log(1 - random.next()))) {
      takeBack();
      continue;
    }
    current += change;
    if (current >= least - smallest) continue;
    current = costOfTour();
    least = current;
    fruitless = 0;
    if (current >= best - smallest) continue;
    best = current;
    bestTour.set(tour);
    onBetter(tour, current);
  }
}

function isSymmetric(cost: Float64Array, size: number): boolean {
  for (let a = 0; a < size; a++)
    for (let b = 0; b < a; b++) if (cost[a * size + b] !== cost[b * size + a]) return false;
  return true;
}

/** The nearest successors of each node, in rows of `count`. */
function nearestNodes(cost: Float64Array, size: number): { list: Int32Array; count: number } {
  const count = Math.min(neighbours, size - 1);
  const list = new Int32Array(size * count);
  for (let node = 0; node < size; node++) {
    const others = Array.from({ length: size }, (_, other) => other).filter((other) => other !== node);
    others.sort((a, b) => cost[node * size + a]! - cost[node * size + b]!);
    list.set(others.slice(0, count), node * count);
  }
  return { list, count };
}
