import type { Progress } from './limit.ts';
import { costOfOrder, earliestBegin, isFeasible, latestBegin, withLocks, type Model } from './model.ts';
import type { Random } from './random.ts';

/** The stops of each vehicle in their order; stops on none of them are unassigned. */
export type Orders = number[][];

/** Receives each solution that is better than all before. */
export type OnBetter = (orders: () => Orders, cost: number) => void;

/** Stops removed in an iteration, on average, where the publication has 10: cheaper iterations found more in the same time. And the longest string. */
const averageRemoved = 8;
const longestString = 10;
/** The chance that a string keeps some stops in its middle, and that it keeps one more. */
const splitChance = 0.5;
const splitDepth = 0.01;
/** The chance that a position is overlooked when a stop is inserted. */
const blinkRate = 0.01;
/** The temperature at the beginning and the end, in mean arcs: where time binds, whole routes must come and go; where capacity alone does, stops change places. */
const timedTemperatures = { first: 3, last: 0.003 };
const untimedTemperatures = { first: 0.4, last: 0.03 };
/** The nearest stops that strings are removed around. */
const neighbours = 100;
/** Iterations between two looks at the clock; and where stops are locked among free ones, which takes many times as long. */
const stride = 64;
const strideWithLocks = 4;
/** Unassigned stops that are tried again in an iteration. */
const retried = 10;

/** The orders in which removed stops are inserted again, with their weights. */
const insertionOrders = { random: 4, demand: 4, far: 2, close: 1 };
const insertionOrdersByWindow = { narrow: 2, early: 2, late: 2 };

/**
 * Ruin and recreate: *slack induction by string removals* (SISR; Christiaens and Vanden Berghe, “Slack Induction by String Removals for
 * Vehicle Routing Problems”, Transportation Science 54, 2020). An iteration removes strings of consecutive stops from neighbouring routes,
 * inserts them one by one where they cost least, and keeps the result by the rule of simulated annealing.
 *
 * Whether an insertion is feasible takes constant time: each position knows the earliest departure before it and the latest begin of
 * service behind it. Only the routes that an iteration touches are saved and restored.
 * @param initial may leave out stops, but must be feasible and hold all locked ones
 */
export function searchRoutes(
  model: Model,
  random: Random,
  progress: Progress,
  onBetter: OnBetter,
  initial?: Orders,
): void {
  const { stops, vehicles, nodes, timed } = model;
  const { costTo, costFrom, timeTo, timeFrom } = model;
  const { kilograms, penalty, service, opens, closes, windows, allowed } = model;
  const { startNode, endNode, shiftFrom, shiftTo, capacity, maxStops, fixedCost, kind, frozen, lockedTo } = model;

  // A route has a row in each of these arrays: its start, its stops, its end. The second half holds the rows that an iteration saved.
  const row = stops + 2;
  const saved = vehicles * row;
  const node = new Int32Array(2 * saved);
  /** The cost and time of the arc that leads to a position. */
  const arcCost = new Float64Array(2 * saved);
  const arcTime = new Float64Array(2 * saved);
  /** The earliest departure from a position. */
  const departs = new Float64Array(2 * saved);
  /** The latest begin of service at a position that leaves all behind it feasible. */
  const latest = new Float64Array(2 * saved);
  const length = new Int32Array(2 * vehicles);
  /** The kilograms that may still come; negative where the number of stops allows none. */
  const spare = new Float64Array(2 * vehicles);
  const routeCost = new Float64Array(2 * vehicles);
  /** Another number for each state of a route. */
  const version = new Float64Array(2 * vehicles);
  let versions = 0;
  /** Vehicles with locks beyond the frozen beginning: their free stops move over locked ones, so their orders are evaluated as a whole. */
  const interlocked = model.locks.map((locks, vehicle) => locks.length > frozen[vehicle]!);

  const vehicleOf = new Int32Array(stops).fill(-1);
  const positionOf = new Int32Array(stops);
  /** Unassigned stops in any order, and the place of each among them. */
  const absent = new Int32Array(stops);
  const placeAmongAbsent = new Int32Array(stops);
  let absentCount = 0;
  let usedVehicles = 0;

  const addAbsent = (stop: number) => {
    placeAmongAbsent[stop] = absentCount;
    absent[absentCount++] = stop;
    vehicleOf[stop] = -1;
  };
  const removeAbsent = (stop: number) => {
    const last = absent[--absentCount]!;
    const place = placeAmongAbsent[stop]!;
    absent[place] = last;
    placeAmongAbsent[last] = place;
  };

  /** Computes everything about a route from its nodes. */
  function refresh(vehicle: number): void {
    version[vehicle] = ++versions;
    const base = vehicle * row;
    const count = length[vehicle]!;
    const end = base + count + 1;
    node[base] = startNode[vehicle]!;
    node[end] = endNode[vehicle]!;
    let previous = startNode[vehicle]!;
    let cost = 0;
    let carried = 0;
    let clock = shiftFrom[vehicle]!;
    departs[base] = clock;
    for (let at = base + 1; at <= end; at++) {
      const here = node[at]!;
      const arc = previous * nodes + here;
      cost += arcCost[at] = costFrom[arc]!;
      if (timed) arcTime[at] = timeFrom[arc]!;
      if (at < end) {
        vehicleOf[here] = vehicle;
        positionOf[here] = at - base;
        carried += kilograms[here]!;
        if (timed) {
          const arrival = clock + arcTime[at]!;
          if (arrival > closes[here]! || windows[here] !== null) clock = earliestBegin(model, here, arrival);
          else clock = arrival > opens[here]! ? arrival : opens[here]!;
          clock += service[here]!;
          departs[at] = clock;
        }
      }
      previous = here;
    }
    spare[vehicle] = count >= maxStops[vehicle]! ? -1 : capacity[vehicle]! - carried + 1e-9;
    if (count === 0) arcCost[end] = 0;
    routeCost[vehicle] = count === 0 ? 0 : cost + fixedCost[vehicle]!;
    if (!timed) return;
    let bound = shiftTo[vehicle]!;
    latest[end] = bound;
    for (let at = end - 1; at > base; at--) {
      const here = node[at]!;
      bound -= arcTime[at + 1]! + service[here]!;
      if (windows[here] === null)
        bound = bound < opens[here]! ? -Infinity : bound < closes[here]! ? bound : closes[here]!;
      else bound = latestBegin(model, here, bound);
      latest[at] = bound;
    }
  }

  /**
   * Where a detour is faster than the straight way, or a locked stop moves forward, a route can become infeasible by losing a stop; and by
   * rounding, since the time behind a position is added up from the end.
   */
  function isBroken(vehicle: number): boolean {
    const count = length[vehicle]!;
    const last = vehicle * row + count;
    const ends = departs[last]! + arcTime[last + 1]!;
    // Infinity is a stop that has closed, also where the shift has no end.
    return timed && count > 0 && !(ends < Infinity && ends <= shiftTo[vehicle]!);
  }

  // The routes that the iteration has touched.
  const touched = new Int32Array(vehicles);
  const touchedIn = new Int32Array(vehicles).fill(-1);
  let touchedCount = 0;
  let iteration = 0;

  function copyRow(vehicle: number, from: number, to: number): void {
    const base = vehicle * row;
    const source = base + from * saved;
    const end = source + length[vehicle + from * vehicles]! + 2;
    const target = base + to * saved;
    // Not copyWithin: its call costs more than a dozen elements.
    for (let offset = end - source - 1; offset >= 0; offset--) {
      node[target + offset] = node[source + offset]!;
      arcCost[target + offset] = arcCost[source + offset]!;
    }
    for (let offset = timed ? end - source - 1 : -1; offset >= 0; offset--) {
      arcTime[target + offset] = arcTime[source + offset]!;
      departs[target + offset] = departs[source + offset]!;
      latest[target + offset] = latest[source + offset]!;
    }
    version[vehicle + to * vehicles] = version[vehicle + from * vehicles]!;
    length[vehicle + to * vehicles] = length[vehicle + from * vehicles]!;
    spare[vehicle + to * vehicles] = spare[vehicle + from * vehicles]!;
    routeCost[vehicle + to * vehicles] = routeCost[vehicle + from * vehicles]!;
  }

  function touch(vehicle: number): void {
    if (touchedIn[vehicle] === iteration) return;
    touchedIn[vehicle] = iteration;
    touched[touchedCount++] = vehicle;
    copyRow(vehicle, 0, 1);
  }

  /** Restores the touched routes. What was assigned before the iteration is not absent afterwards, and the other way round. */
  function undo(): void {
    for (let index = 0; index < touchedCount; index++) {
      const vehicle = touched[index]!;
      const base = vehicle * row;
      for (let at = base + 1; at <= base + length[vehicle]!; at++) addAbsent(node[at]!);
      if (length[vehicle]! > 0) usedVehicles--;
    }
    for (let index = 0; index < touchedCount; index++) {
      const vehicle = touched[index]!;
      const base = vehicle * row;
      copyRow(vehicle, 1, 0);
      if (length[vehicle]! > 0) usedVehicles++;
      for (let at = base + 1; at <= base + length[vehicle]!; at++) {
        const stop = node[at]!;
        removeAbsent(stop);
        vehicleOf[stop] = vehicle;
        positionOf[stop] = at - base;
      }
    }
  }

  function setOrder(vehicle: number, order: readonly number[]): void {
    usedVehicles += Number(order.length > 0) - Number(length[vehicle]! > 0);
    node.set(order, vehicle * row + 1);
    length[vehicle] = order.length;
    refresh(vehicle);
  }
  const orderOf = (vehicle: number) =>
    Array.from(node.subarray(vehicle * row + 1, vehicle * row + 1 + length[vehicle]!));
  const freeOf = (vehicle: number) => orderOf(vehicle).filter((stop) => lockedTo[stop] !== vehicle);

  // Where the stop in hand costs least. The cost is in an array: as a variable of the closure it would become a heap object at every change.
  let bestVehicle = -1;
  let bestPosition = 0;
  const bestCost = new Float64Array(1);

  function tryOrders(vehicle: number, stop: number): void {
    const free = freeOf(vehicle);
    for (let position = 0; position <= free.length; position++) {
      const order = withLocks(model, vehicle, free.toSpliced(position, 0, stop));
      const cost = costOfOrder(model, vehicle, order) - routeCost[vehicle]!;
      if (cost >= bestCost[0]! || random.next() < blinkRate || !isFeasible(model, vehicle, order)) continue;
      bestCost[0] = cost;
      bestVehicle = vehicle;
      bestPosition = position;
    }
  }

  // The cheapest place for each stop on each route, as of a version of the route, in records of three numbers: version, cost, position. Most
  // routes are as they were when the stop was inserted before. The last two are for a route that the iteration has changed, whose old state
  // comes back if the iteration is undone, and for a blink.
  const known = new Float64Array(3 * (stops * vehicles + 2));
  const ofChanged = 3 * stops * vehicles;
  const ofBlink = ofChanged + 3;

  /** Finds the cheapest feasible position for a stop, other than one that is passed over, and writes it at `found` of `known`. */
  function findPosition(vehicle: number, stop: number, except: number, found: number): void {
    const base = vehicle * row;
    const end = base + length[vehicle]!;
    const ways = stop * nodes;
    const skipped = base + except - 1;
    let least = Infinity;
    let place = base;
    let at = base + frozen[vehicle]!;
    let before = node[at]!;
    if (timed) {
      const [opening, closing, serving] = [opens[stop]!, closes[stop]!, service[stop]!];
      const hasSeveral = windows[stop] !== null;
      for (; at <= end && departs[at]! <= closing; at++) {
        const way = ways + before;
        const behind = (before = node[at + 1]!);
        const cost = costTo[way]! + costFrom[ways + behind]! - arcCost[at + 1]!;
        if (cost >= least || at === skipped) continue;
        const arrival = departs[at]! + timeTo[way]!;
        let begin = arrival > opening ? arrival : opening;
        if (hasSeveral) begin = earliestBegin(model, stop, arrival);
        if (begin > closing || begin + serving + timeFrom[ways + behind]! > latest[at + 1]!) continue;
        least = cost;
        place = at;
      }
    } else
      for (; at <= end; at++) {
        const behind = node[at + 1]!;
        const cost = costTo[ways + before]! + costFrom[ways + behind]! - arcCost[at + 1]!;
        before = behind;
        if (cost >= least || at === skipped) continue;
        least = cost;
        place = at;
      }
    known[found] = version[vehicle]!;
    known[found + 1] = end === base ? least + fixedCost[vehicle]! : least;
    known[found + 2] = place - base + 1;
  }

  function tryPositions(vehicle: number, stop: number): void {
    let found = 3 * (stop * vehicles + vehicle);
    if (touchedIn[vehicle] === iteration) {
      found = ofChanged;
      findPosition(vehicle, stop, 0, found);
    } else if (known[found] !== version[vehicle]!) findPosition(vehicle, stop, 0, found);
    if (known[found + 1]! >= bestCost[0]!) return;
    if (random.next() < blinkRate) {
      findPosition(vehicle, stop, known[found + 2]!, ofBlink);
      found = ofBlink;
      if (known[found + 1]! >= bestCost[0]!) return;
    }
    bestCost[0] = known[found + 1]!;
    bestVehicle = vehicle;
    bestPosition = known[found + 2]!;
  }

  // Of vehicles that are interchangeable while empty only the first empty one is tried.
  const kindTried = new Int32Array(vehicles).fill(-1);
  let attempt = 0;

  function insert(stop: number): void {
    bestVehicle = -1;
    bestCost[0] = penalty[stop]!;
    attempt++;
    const weight = kilograms[stop]!;
    for (let vehicle = 0; vehicle < vehicles; vehicle++) {
      if (spare[vehicle]! < weight) continue;
      if (length[vehicle] === 0) {
        if (kindTried[kind[vehicle]!] === attempt) continue;
        kindTried[kind[vehicle]!] = attempt;
      }
      if (allowed[vehicle * stops + stop] === 0) continue;
      if (interlocked[vehicle]) tryOrders(vehicle, stop);
      else tryPositions(vehicle, stop);
    }
    if (bestVehicle === -1) return;
    touch(bestVehicle);
    removeAbsent(stop);
    if (interlocked[bestVehicle]) {
      setOrder(bestVehicle, withLocks(model, bestVehicle, freeOf(bestVehicle).toSpliced(bestPosition, 0, stop)));
      return;
    }
    const at = bestVehicle * row + bestPosition;
    // Not copyWithin: its call costs more than a dozen elements.
    for (let from = bestVehicle * row + length[bestVehicle]! + 1; from >= at; from--) node[from + 1] = node[from]!;
    node[at] = stop;
    if (length[bestVehicle]!++ === 0) usedVehicles++;
    refresh(bestVehicle);
    if (!isBroken(bestVehicle)) return;
    node.copyWithin(at, at + 1, bestVehicle * row + length[bestVehicle]! + 2);
    if (--length[bestVehicle]! === 0) usedVehicles--;
    refresh(bestVehicle);
    addAbsent(stop);
  }

  const nearest = nearestStops(model);
  const hand = new Int32Array(stops);
  let handCount = 0;

  /** Removes the stops from one position up to, but without, another; those in between from `keepFrom` to `keepTo` stay, as do locked ones. */
  function removeString(vehicle: number, from: number, to: number, keepFrom: number, keepTo: number): void {
    touch(vehicle);
    const base = vehicle * row;
    const count = length[vehicle]!;
    let kept = base + from;
    for (let at = base + from; at <= base + count; at++) {
      const stop = node[at]!;
      const position = at - base;
      const stays = position >= to || (position >= keepFrom && position < keepTo) || lockedTo[stop]! >= 0;
      if (stays) node[kept++] = stop;
      else {
        addAbsent(stop);
        hand[handCount++] = stop;
      }
    }
    length[vehicle] = kept - base - 1;
    if (count > 0 && length[vehicle] === 0) usedVehicles--;
    if (interlocked[vehicle]) setOrder(vehicle, withLocks(model, vehicle, freeOf(vehicle)));
    else refresh(vehicle);
  }

  const stringFrom = new Int32Array(vehicles).fill(-1);

  function ruin(): void {
    handCount = 0;
    const present = stops - absentCount;
    if (present === 0) return;
    const longest = Math.min(longestString, present / usedVehicles);
    const strings = Math.floor(random.next() * ((4 * averageRemoved) / (1 + longest) - 1) + 1);
    const center = random.below(stops);
    const around = center * nearest.count;
    let removed = 0;
    for (let index = -1; index < nearest.count && removed < strings; index++) {
      const stop = index === -1 ? center : nearest.list[around + index]!;
      const vehicle = vehicleOf[stop]!;
      if (vehicle === -1 || lockedTo[stop]! >= 0) continue;
      // With fewer routes than strings a route may lose several.
      if (stringFrom[vehicle] === iteration && usedVehicles >= strings) continue;
      stringFrom[vehicle] = iteration;
      removed++;
      const first = frozen[vehicle]! + 1;
      const count = length[vehicle]! - first + 1;
      const size = Math.floor(random.next() * Math.min(count, longest) + 1);
      let kept = 0;
      if (size > 1 && size < count && random.next() < splitChance) {
        kept = 1;
        while (size + kept < count && random.next() < splitDepth) kept++;
      }
      const span = size + kept;
      const lowest = Math.max(first, positionOf[stop]! - span + 1);
      const highest = Math.min(positionOf[stop]!, first + count - span);
      const from = lowest + random.below(highest - lowest + 1);
      const keepFrom = kept === 0 ? from : from + 1 + random.below(size - 1);
      removeString(vehicle, from, from + span, keepFrom, keepFrom + kept);
    }
  }

  const keys = insertionKeys(model);

  function recreate(): void {
    // Some of those that were absent before; they stand in front of the removed ones.
    const others = absentCount - handCount;
    for (let tries = Math.min(others, retried); tries > 0; tries--) {
      const stop = absent[random.below(others)]!;
      let index = handCount - 1;
      while (index >= 0 && hand[index] !== stop) index--;
      if (index < 0) hand[handCount++] = stop;
    }
    shuffle(hand, handCount, random);
    const key = keys[random.below(keys.length)]!;
    for (let index = 1; index < handCount && key !== null; index++) {
      const stop = hand[index]!;
      const value = key[stop]!;
      let place = index;
      while (place > 0 && key[hand[place - 1]!]! > value) {
        hand[place] = hand[place - 1]!;
        place--;
      }
      hand[place] = stop;
    }
    for (let index = 0; index < handCount; index++) insert(hand[index]!);
  }

  const costNow = () => {
    let cost = 0;
    for (let vehicle = 0; vehicle < vehicles; vehicle++) cost += routeCost[vehicle]!;
    for (let index = 0; index < absentCount; index++) cost += penalty[absent[index]!]!;
    return cost;
  };
  const isAnyBroken = () => {
    for (let index = 0; index < touchedCount; index++) if (isBroken(touched[index]!)) return true;
    return false;
  };
  const orders = () => Array.from({ length: vehicles }, (_, vehicle) => orderOf(vehicle));

  for (let stop = 0; stop < stops; stop++) addAbsent(stop);
  for (let vehicle = 0; vehicle < vehicles; vehicle++) {
    const order = initial?.[vehicle] ?? model.locks[vehicle]!;
    for (const stop of order) removeAbsent(stop);
    setOrder(vehicle, order);
  }
  hand.set(absent.subarray(0, absentCount));
  handCount = absentCount;
  shuffle(hand, handCount, random);
  for (let index = 0; index < handCount; index++) insert(hand[index]!);

  let cost = costNow();
  let best = cost;
  onBetter(orders, cost);
  if (stops === 0 || vehicles === 0) return;
  let meanArc = 0;
  for (let vehicle = 0; vehicle < vehicles; vehicle++)
    if (length[vehicle]! > 0)
      meanArc += (routeCost[vehicle]! - fixedCost[vehicle]!) / (stops - absentCount + usedVehicles);
  let temperature = 0;
  const { first, last } = timed ? timedTemperatures : untimedTemperatures;
  const untilLook = interlocked.includes(true) ? strideWithLocks : stride;
  for (;;) {
    if (iteration % untilLook === 0) {
      const share = progress.share(iteration);
      if (!(share < 1)) break;
      temperature = meanArc * first * (last / first) ** share;
    }
    // From 1: the first insertions were iteration 0.
    iteration++;
    touchedCount = 0;
    ruin();
    recreate();
    const now = costNow();
    if (!(now < cost - temperature * Math.log(1 - random.next())) || isAnyBroken()) {
      undo();
      continue;
    }
    cost = now;
    if (cost < best - 1e-9 * (1 + best)) {
      best = cost;
      onBetter(orders, cost);
    }
  }
}

function shuffle(list: Int32Array, count: number, random: Random): void {
  for (let index = count - 1; index > 0; index--) {
    const other = random.below(index + 1);
    const stop = list[index]!;
    list[index] = list[other]!;
    list[other] = stop;
  }
}

/** The nearest stops of each stop, in both directions together, in rows of `count`. */
function nearestStops({ stops, nodes, costFrom, costTo }: Model): { list: Int32Array; count: number } {
  const count = Math.max(0, Math.min(neighbours, stops - 1));
  const list = new Int32Array(stops * count);
  const distance = new Float64Array(stops);
  for (let stop = 0; stop < stops; stop++) {
    for (let other = 0; other < stops; other++)
      distance[other] = costFrom[stop * nodes + other]! + costTo[stop * nodes + other]!;
    distance[stop] = Infinity;
    const sorted = Array.from(distance.keys()).toSorted((a, b) => distance[a]! - distance[b]!);
    list.set(sorted.slice(0, count), stop * count);
  }
  return { list, count };
}

/** The orders in which stops are inserted, each as often as its weight says: as keys to sort by, or null for a random order. */
function insertionKeys({ problem, stops, nodes, costFrom, costTo, startNode, kilograms, opens, closes }: Model) {
  const depot = startNode[0] ?? 0;
  const away = Float64Array.from(
    { length: stops },
    (_, stop) => costTo[stop * nodes + depot]! + costFrom[stop * nodes + depot]!,
  );
  const descending = (key: Float64Array) => key.map((value) => -value);
  const keys = {
    random: null,
    demand: descending(kilograms),
    far: descending(away),
    close: away,
    narrow: closes.map((to, stop) => to - opens[stop]!),
    early: opens,
    late: descending(closes),
  };
  const hasWindows = problem.stops.some(({ windows }) => windows.length > 0);
  return Object.entries({ ...insertionOrders, ...(hasWindows ? insertionOrdersByWindow : {}) }).flatMap(
    ([name, weight]) => Array.from({ length: weight }, () => keys[name as keyof typeof keys]),
  );
}
