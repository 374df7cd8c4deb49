import { ApiError, type Route, type StopsResult } from '@waybill/contract';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPackage, openTestProduct, type TestProduct, type TestUser } from '../server/src/testing/test-product.ts';
import { isLinearizableBy, type TimedStep } from './linearizability.ts';
import { size } from './storm-size.ts';

/** Two planned routes, each of a driver of its own, and three packages, the first two of which are on the first route. */
const routeCount = 2;
const packageCount = 3;

type Place = number | null;
/** Calls of dispatchers, drivers and the owner. Routes and packages are named by their index. */
type Operation =
  | { kind: 'add'; to: number; packages: number[] }
  | { kind: 'move'; from: number; to: Place; packages: number[] }
  | { kind: 'start' | 'finish'; route: number }
  /** All that the driver of a route has goes to the other route; one that has not started is deleted. */
  | { kind: 'reassign'; from: number }
  | { kind: 'cancel'; package: number }
  /** What everybody sees, at the end. */
  | { kind: 'look' };

interface State {
  routes: (Route['state'] | 'gone')[];
  /** Where each package is: on a route, or waiting (null). */
  packages: { route: Place; status: 'waiting' | 'on the road' | 'cancelled' }[];
}

/** The status code and, for each package, whether it was done or why not; for a look the state itself. */
type Answer = string;

const initial: State = {
  routes: ['planned', 'planned'],
  packages: [
    { route: 0, status: 'waiting' },
    { route: 0, status: 'waiting' },
    { route: null, status: 'waiting' },
  ],
};

const somePackages = fc.uniqueArray(fc.nat(packageCount - 1), { minLength: 1 });
const route = fc.nat(routeCount - 1);
const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('add'), to: route, packages: somePackages }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('move'), from: route, to: fc.option(route), packages: somePackages }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('start', 'finish'), route }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('reassign'), from: route }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancel'), package: fc.nat(packageCount - 1) }) },
) as fc.Arbitrary<Operation>;
/** Three or four concurrent clients, each with one to three sequential calls. */
const history = fc.array(fc.array(operation, { minLength: 1, maxLength: 3 }), { minLength: 3, maxLength: 4 });

/** Sequential specification of routes, written independently of the server. */
function apply(state: State, operation: Operation): { state: State; answer: Answer } {
  const { routes, packages } = state;
  const refused = (code: number) => ({ state, answer: String(code) });
  const setRoute = (index: number, to: Route['state'], changed = packages) => ({
    state: { routes: routes.with(index, to), packages: changed },
    answer: '200',
  });
  switch (operation.kind) {
    case 'look':
      return { state, answer: JSON.stringify(state) };
    case 'cancel': {
      const { status } = packages[operation.package] ?? {};
      if (status === 'on the road') return refused(409);
      const cancelled = { route: null, status: 'cancelled' as const };
      return { state: { routes, packages: packages.with(operation.package, cancelled) }, answer: '200' };
    }
    case 'start': {
      if (routes[operation.route] === 'gone') return refused(404);
      if (routes[operation.route] !== 'planned') return refused(routes[operation.route] === 'started' ? 200 : 409);
      if (!packages.some((pkg) => pkg.route === operation.route)) return refused(409);
      return setRoute(
        operation.route,
        'started',
        packages.map((pkg) => (pkg.route === operation.route ? { ...pkg, status: 'on the road' } : pkg)),
      );
    }
    case 'finish':
      if (routes[operation.route] === 'gone') return refused(404);
      if (routes[operation.route] !== 'started') return refused(routes[operation.route] === 'finished' ? 200 : 409);
      return setRoute(
        operation.route,
        'finished',
        packages.map((pkg) => (pkg.route === operation.route ? { route: null, status: 'waiting' } : pkg)),
      );
    case 'add':
      if (routes[operation.to] === 'gone') return refused(404);
      if (routes[operation.to] !== 'planned') return refused(409);
      return applyEach(state, operation.packages, (pkg) => {
        if (pkg.status === 'cancelled') return 'gone';
        if (pkg.status === 'on the road') return 'started';
        if (pkg.route === operation.to) return pkg;
        return pkg.route === null ? { ...pkg, route: operation.to } : 'on_other_route';
      });
    case 'move': {
      const { from, to } = operation;
      if (routes[from] === 'gone') return refused(404);
      if (routes[from] === 'finished') return refused(409);
      if (to === from) return refused(422);
      if (to !== null && routes[to] === 'gone') return refused(422);
      if (to !== null && routes[to] === 'finished') return refused(409);
      if (to !== null && routes[from] === 'started' && routes[to] === 'planned') return refused(422);
      return applyEach(state, operation.packages, (pkg) => {
        if (pkg.status === 'cancelled') return 'gone';
        if (pkg.route === null) return 'not_waiting';
        if (pkg.route !== from) return 'on_other_route';
        const isOnTheRoad = to !== null && routes[to] === 'started';
        return { route: to, status: isOnTheRoad ? 'on the road' : 'waiting' };
      });
    }
    case 'reassign': {
      const { from } = operation;
      const to = 1 - from;
      if (routes[to] === 'gone') return refused(422);
      if (routes[to] === 'finished') return refused(409);
      const moved = packages.map(({ route }) => route === from);
      const status = routes[to] === 'started' ? ('on the road' as const) : ('waiting' as const);
      return {
        state: {
          routes: routes[from] === 'planned' ? routes.with(from, 'gone') : routes,
          packages: packages.map((pkg) => (pkg.route === from ? { route: to, status } : pkg)),
        },
        answer: `200 ${moved.map((isMoved) => (isMoved ? 'done' : '')).join(' ')}`,
      };
    }
  }
}

type Place1 = State['packages'][number];

function applyEach(
  state: State,
  packages: number[],
  decide: (pkg: Place1) => Place1 | string,
): { state: State; answer: Answer } {
  let after = state.packages;
  const outcomes = packages.map((index) => {
    const pkg = state.packages[index];
    const decision = pkg ? decide(pkg) : 'gone';
    if (typeof decision === 'string') return decision;
    after = after.with(index, decision);
    return 'done';
  });
  return { state: { ...state, packages: after }, answer: `200 ${outcomes.join(' ')}` };
}

let product: TestProduct;
let admin: TestUser;
let owner: TestUser;
let drivers: TestUser[];
let depotId = '';
beforeAll(async () => {
  product = await openTestProduct();
  await product.listen();
  admin = await product.register('admin');
  owner = await product.register('owner');
  drivers = await Promise.all(Array.from({ length: routeCount }, () => product.register('driver')));
  depotId = (await admin.api.depots.list())[0]?.id ?? '';
});
afterAll(() => product.close());

const day = '2026-06-10';

interface World {
  routes: string[];
  packages: string[];
}

async function makeWorld(): Promise<World> {
  const packages = await Promise.all(Array.from({ length: packageCount }, () => createPackage(owner)));
  const routes = await Promise.all(
    drivers.map(({ id }) => admin.api.routes.create({ body: { day, depotId, driverId: id } })),
  );
  const ids = packages.map(({ id }) => id);
  const world = { routes: routes.map(({ id }) => id), packages: ids };
  await admin.api.routes.addStops({ params: { id: world.routes[0] ?? '' }, body: { packageIds: ids.slice(0, 2) } });
  return world;
}

/** Carries out an operation over HTTP. */
async function call(world: World, operation: Operation): Promise<Answer> {
  const api = product.http(admin.token);
  const routeAt = (index: number) => ({ id: world.routes[index] ?? '' });
  const ids = (indexes: number[]) => indexes.map((index) => world.packages[index] ?? '');
  const outcomesOf = ({ done, refused }: StopsResult, indexes: number[]) =>
    `200 ${ids(indexes)
      .map((id) => (done.includes(id) ? 'done' : refused.find((one) => one.packageId === id)?.code))
      .join(' ')}`;
  switch (operation.kind) {
    case 'look':
      return JSON.stringify(await look(world));
    case 'cancel':
      await product
        .http(owner.token)
        .packages.update({ params: { id: ids([operation.package])[0] ?? '' }, body: { status: 'cancelled' } });
      return '200';
    case 'start':
      await product.http(drivers[operation.route]?.token ?? null).routes.start({ params: routeAt(operation.route) });
      return '200';
    case 'finish':
      await api.routes.finish({ params: routeAt(operation.route), body: { returned: world.packages } });
      return '200';
    case 'reassign': {
      const { id: driverId = '' } = drivers[operation.from] ?? {};
      const body = { driverId, day, to: [routeAt(1 - operation.from).id] };
      const { done } = await api.dispatch.reassign({ body });
      return `200 ${world.packages.map((id) => (done.includes(id) ? 'done' : '')).join(' ')}`;
    }
    case 'add': {
      const body = { packageIds: ids(operation.packages) };
      return outcomesOf(await api.routes.addStops({ params: routeAt(operation.to), body }), operation.packages);
    }
    case 'move': {
      const to = operation.to === null ? null : routeAt(operation.to).id;
      const body = { packageIds: ids(operation.packages), to };
      return outcomesOf(await api.routes.move({ params: routeAt(operation.from), body }), operation.packages);
    }
  }
}

/** The state as the calls show it. A package that is on two routes, or on none but not offered either, shows as such. */
async function look({ routes: routeIds, packages: packageIds }: World): Promise<unknown> {
  const routes = await Promise.all(
    routeIds.map((id) =>
      admin.api.routes.read({ params: { id } }).catch((error: unknown) => {
        if (error instanceof ApiError && error.status === 404) return { state: 'gone' as const, stops: [] };
        throw error;
      }),
    ),
  );
  const offered = new Set<string>();
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page: { items: { id: string }[]; next: string | null } = await admin.api.deliveries.pending({
      query: { limit: 200, cursor },
    });
    for (const { id } of page.items) offered.add(id);
    cursor = page.next;
  }
  const packages = await Promise.all(
    packageIds.map(async (id) => {
      const { status } = await owner.api.packages.read({ params: { id } });
      const on = routes.flatMap(({ stops }, index) =>
        stops.some((stop) => stop.packageId === id && (stop.state === 'open' || stop.state === 'next')) ? index : [],
      );
      if (status === 'cancelled') return { route: on[0] ?? null, status };
      if (on.length > 1 || (status === 'processing' && on.length === 0) !== offered.has(id))
        return { lost: id, on, status, isOffered: offered.has(id) };
      return { route: on[0] ?? null, status: status === 'processing' ? 'waiting' : 'on the road' };
    }),
  );
  return { routes: routes.map(({ state }) => state), packages };
}

async function run(clients: Operation[][]): Promise<TimedStep<Operation, Answer>[]> {
  const world = await makeWorld();
  const steps: TimedStep<Operation, Answer>[] = [];
  const perform = async (operation: Operation) => {
    const invokedAt = performance.now();
    const answer = await call(world, operation).catch((error: unknown) => {
      if (error instanceof ApiError && error.status < 500) return String(error.status);
      throw error;
    });
    steps.push({ operation, answer, invokedAt, answeredAt: performance.now() });
  };
  await Promise.all(
    clients.map(async (operations) => {
      for (const one of operations) await perform(one);
    }),
  );
  await perform({ kind: 'look' });
  // A driver has one started route at a time, and the next history must find none of these packages waiting.
  for (const id of world.routes)
    await admin.api.routes.finish({ params: { id }, body: { returned: world.packages } }).catch(() => {});
  await owner.api.packages.bulk({ body: { action: 'delete', packageIds: world.packages } });
  return steps;
}

test('every concurrent history of two routes is linearizable: no package is on two routes, and none is lost', async () => {
  await fc.assert(
    fc.asyncProperty(history, async (clients) => {
      const steps = await run(clients);
      expect(isLinearizableBy(steps, initial, apply), JSON.stringify(steps, null, 1)).toBe(true);
    }),
    { numRuns: size(12, 300), endOnFailure: true },
  );
});
