import type { Delivery } from '@waybill/contract';

/** A call of a generated mix. */
export interface Call {
  kind: 'start' | 'next' | 'arrive' | 'complete' | 'fail' | 'create';
  /** Index of a driver, of which one is suspended; of an owner for a create, of which the last one is suspended. */
  by: number;
  /** Index of a package. */
  pkg: number;
  key: number | null;
  /** Who received it; for a create, whether the tracking ID is taken. */
  text: number;
  hasPhoto: boolean;
}

export interface Reply {
  status: number;
  body: Delivery & { code?: string; fields?: object };
}

export interface Done {
  call: Call;
  reply: Reply;
}

export const suspended = 2;

/** Of two completions the reply shows by it which one was first: a photo is not in the reply. */
export const receiverOf = ({ text, hasPhoto }: Call): string | null =>
  hasPhoto ? 'Person with a photo' : text > 0 ? `Person ${text}` : null;

export const keyOf = ({ kind, by, pkg, key }: Call): string => {
  if (key === null) return '';
  return kind === 'create' ? `create ${by === suspended} ${key}` : `${kind} ${by} ${pkg} ${key}`;
};
const isSameBody = (one: Call, two: Call) =>
  one === two ||
  ['start', 'next', 'arrive'].includes(one.kind) ||
  (one.text === two.text && !one.hasPhoto && !two.hasPhoto);

/** What is stored about a package; `events` since the beginning, each with the index of its driver. */
export interface Stored {
  status: string;
  driver: number | null;
  version: number;
  route: number | null;
  events: string[];
}

export interface ModelPackage extends Stored {
  hasArrived: boolean;
  needsReceiver: boolean;
  /** Stops of one door may both be arrived at; null is no address. */
  door: string | null;
}

export interface Model {
  packages: ModelPackage[];
  /** A planned route has no steps but refused ones. */
  routes: { driver: number; isStarted: boolean; order: number[] }[];
}

type Replies = ReadonlyMap<string, Done>;

/** The route that whatever this driver starts gets on. */
const startedRouteOf = ({ routes }: Model, driver: number): number | null => {
  const index = routes.findIndex((route) => route.isStarted && route.driver === driver);
  return index === -1 ? null : index;
};

/** What a call is answered in this state: an error's code, `same` for the present state, `replayed`, or `changed`. */
function predict({ packages }: Model, replies: Replies, each: Call): string {
  const pkg = packages[each.pkg] as ModelPackage;
  const stored = replies.get(keyOf(each));
  if (each.key !== null && stored) {
    if (!isSameBody(stored.call, each)) return 'key_reused';
    if (pkg.driver === each.by) return 'replayed';
    return pkg.status === 'processing' && stored.reply.body.status === 'pending' ? 'replayed' : 'not_found';
  }
  const isOnTheRoad = ['in transit', 'out for delivery'].includes(pkg.status);
  if (each.kind === 'start') {
    if (each.by === suspended) return 'not_active';
    // One that failed stays on its route until that is finished.
    if (pkg.status === 'processing') return pkg.route === null ? 'changed' : 'planned';
    return pkg.driver === each.by ? 'same' : 'already_started';
  }
  if (pkg.driver !== each.by) return pkg.status === 'processing' ? 'illegal_step' : 'not_found';
  if (each.kind === 'next') {
    if (pkg.status === 'out for delivery') return 'same';
    return pkg.status === 'in transit' ? 'changed' : 'illegal_step';
  }
  if (each.kind === 'arrive') {
    if (pkg.hasArrived && pkg.status === 'out for delivery') return 'same';
    return isOnTheRoad ? 'changed' : 'illegal_step';
  }
  if (each.kind === 'complete') {
    if (pkg.status === 'delivered') return 'same';
    return pkg.needsReceiver && receiverOf(each) === null ? 'invalid' : 'changed';
  }
  return isOnTheRoad ? 'changed' : 'illegal_step';
}

/**
 * What a step does to its package, and to the others of its route.
 * @param isHeld another transaction has the package that is next: it stays in transit, as nobody waits for it
 * @returns with that package, if there is one
 */
function apply(model: Model, { kind, by, pkg: index }: Call, isHeld: boolean): { model: Model; next: number | null } {
  const packages = model.packages.map((each) => ({ ...each }));
  const change = (each: ModelPackage, event: string, to: Partial<ModelPackage>) =>
    Object.assign(each, to, { version: each.version + 1, events: [...each.events, `delivery.${event} by ${by}`] });
  const pkg = packages[index] as ModelPackage;
  const route = pkg.route === null ? undefined : model.routes[pkg.route];
  const out = packages.filter((other) => route && other.route === pkg.route && other.status === 'out for delivery');
  const staysAhead = (other: ModelPackage) =>
    kind === 'arrive' && other.hasArrived && other.door !== null && other.door === pkg.door;
  if (kind === 'next' || kind === 'arrive')
    for (const other of out)
      if (other !== pkg && !staysAhead(other)) change(other, 'deferred', { status: 'in transit', hasArrived: false });
  if (kind === 'start')
    change(pkg, 'started', { status: 'in transit', driver: by, hasArrived: false, route: startedRouteOf(model, by) });
  if (kind === 'next') change(pkg, 'next', { status: 'out for delivery' });
  if (kind === 'arrive') change(pkg, 'arrived', { status: 'out for delivery', hasArrived: true });
  if (kind === 'complete') change(pkg, 'completed', { status: 'delivered' });
  if (kind === 'fail') change(pkg, 'failed', { status: 'processing', driver: null, hasArrived: false });
  const after = { ...model, packages };
  if (!route || (kind !== 'complete' && kind !== 'fail') || out.some((other) => other !== pkg))
    return { model: after, next: null };
  // What was started on the way comes last, in the order of creation.
  const onRoute = [...packages.keys()].filter((each) => packages[each]?.route === pkg.route);
  const inOrder = [...route.order, ...onRoute.filter((each) => !route.order.includes(each))];
  const next = inOrder.find((each) => packages[each]?.status === 'in transit') ?? null;
  if (next !== null && !isHeld) change(packages[next] as ModelPackage, 'next', { status: 'out for delivery' });
  return { model: after, next };
}

/** The packages in groups, within which a step may concern other packages: those of a route, and what its driver starts on the way. */
export function groupsOf(initial: Model, calls: Call[]): number[][] {
  let labels = initial.packages.map(({ route }, index) => (route === null ? `package ${index}` : `route ${route}`));
  for (const { kind, by, pkg } of calls) {
    const route = kind === 'start' ? startedRouteOf(initial, by) : null;
    const first = route === null ? undefined : initial.routes[route]?.order[0];
    if (first === undefined) continue;
    const [from, to] = [labels[pkg], labels[first] as string];
    labels = labels.map((label) => (label === from ? to : label));
  }
  return [...Map.groupBy(labels.keys(), (index) => labels[index]).values()];
}

/** Whether a call, carried out in this state, has the reply that it had; `changes` tells whether it changes the state. */
function outcomeOf(model: Model, replies: Replies, { call, reply }: Done): { fits: boolean; changes: boolean } {
  const predicted = predict(model, replies, call);
  const { version } = model.packages[call.pkg] as ModelPackage;
  const { status, body } = reply;
  if (status !== 200) return { fits: predicted === body.code, changes: false };
  if (predicted === 'replayed')
    return { fits: body.version === replies.get(keyOf(call))?.reply.body.version, changes: false };
  if (predicted === 'same') return { fits: body.version === version, changes: false };
  const isReceiver = call.kind !== 'complete' || body.receivedBy === receiverOf(call);
  return { fits: predicted === 'changed' && body.version === version + 1 && isReceiver, changes: true };
}

/** A call, and the package that another one must have held meanwhile so that it did not become the next stop. */
type Ordered = Done & { held: number | null };

/**
 * Returns an order of the calls, one by one, that explains their replies and what is stored at the end (linearizability).
 * @param done the calls of a group
 * @param stored by the indexes of the packages of the group
 * @param called the packages of all calls, which may have held them
 * @throws without one
 */
export function orderOf(
  done: Done[],
  initial: Model,
  stored: ReadonlyMap<number, Stored>,
  called: ReadonlySet<number>,
): Ordered[] {
  const deadEnds = new Set<string>();
  const isEnd = ({ packages }: Model) =>
    [...stored].every(([index, wanted]) => {
      const { status, driver, version, route, events } = packages[index] as ModelPackage;
      return JSON.stringify({ status, driver, version, route, events }) === JSON.stringify(wanted);
    });
  const search = (model: Model, replies: Replies, pending: Done[]): Ordered[] | null => {
    if (pending.length === 0) return isEnd(model) ? [] : null;
    const state = JSON.stringify([
      pending.map((one) => done.indexOf(one)),
      [...stored.keys()].map((index) => model.packages[index]),
      Array.from(replies, ([key, one]) => `${key} ${done.indexOf(one)}`).toSorted(),
    ]);
    if (deadEnds.has(state)) return null;
    const possible = pending.flatMap((one) => {
      const { fits, changes } = outcomeOf(model, replies, one);
      return fits ? [{ one, changes }] : [];
    });
    // A call that leaves nothing behind can be the next one, whatever comes later.
    const free = possible.find(({ one, changes }) => !changes && (one.call.key === null || one.reply.status !== 200));
    for (const { one, changes } of free ? [free] : possible) {
      const isStored = one.call.key !== null && one.reply.status === 200 && !replies.has(keyOf(one.call));
      const repliesAfter = isStored ? new Map(replies).set(keyOf(one.call), one) : replies;
      const others = pending.filter((other) => other !== one);
      for (const isHeld of changes ? [false, true] : [false]) {
        const after = changes ? apply(model, one.call, isHeld) : { model, next: null };
        if (isHeld && (after.next === null || !called.has(after.next))) continue;
        const rest = search(after.model, repliesAfter, others);
        if (rest) return [{ ...one, held: isHeld ? after.next : null }, ...rest];
      }
    }
    deadEnds.add(state);
    return null;
  };
  const order = search(initial, new Map(), done);
  if (order) return order;
  const shown = done.map(({ call, reply: { status, body } }) => [call, status, body.code ?? body.version]);
  throw new Error(`no order of ${JSON.stringify(shown)} explains ${JSON.stringify([...stored])}`);
}
