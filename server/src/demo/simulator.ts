import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  ApiError,
  dayIn,
  isOpenStop,
  maxSplit,
  type Client,
  type CreatePackageInput,
  type Package,
  type Role,
} from '@waybill/contract';
import { v7 as uuid } from 'uuid';

export interface Simulation {
  /** Creates an API client that uses this token. */
  api: (token: string | null) => Client;
  owners: number;
  drivers: number;
  /** Total of all owners at speed 1. */
  packagesPerMinute: number;
  /** Time-lapse factor; 1 is the speed of people. */
  speed: number;
  /** Creates the accounts, and plans routes for half of the drivers. Without one drivers choose single deliveries. */
  admin: { email: string; password: string } | null;
  /** Ends the simulation after the calls in flight. */
  signal: AbortSignal;
}

/** Counts since the start of the simulation. */
export interface Tally {
  created: number;
  started: number;
  delivered: number;
  failed: number;
  reported: number;
  rated: number;
  /** Routes. */
  routesStarted: number;
  routesFinished: number;
  /** Races lost to another driver or the owner. */
  outrun: number;
  /** Calls retried after a 429, a 503 or a network error. */
  waited: number;
  /** Unexpected errors, by code. */
  errors: Map<string, number>;
  /** Durations of calls in ms, by name. */
  calls: Map<string, number[]>;
}

export const emptyTally = (): Tally => ({
  created: 0,
  started: 0,
  delivered: 0,
  failed: 0,
  reported: 0,
  rated: 0,
  routesStarted: 0,
  routesFinished: 0,
  outrun: 0,
  waited: 0,
  errors: new Map(),
  calls: new Map(),
});

/** Pauses between the steps of a delivery, in ms at speed 1. */
const pause = { choose: 4000, load: 5000, drive: 15_000, door: 4000, plan: 10_000 };

/** The location of new packages and of failed deliveries. */
const depot = 'Riverton depot';

/** Shares of deliveries that are marked as next, that fail, that get an incident, and that are rated. */
const share = { next: 0.7, fail: 0.08, report: 0.06, rate: 0.5, left: 0.1 };

/** Packages of the simulation have references that begin with this, so that no others are planned. */
const referencePrefix = 'sim-';

/** Of a simulated route. */
const stopsOfRoute = 12;
const fewestStops = 3;

/**
 * Simulates owners who create packages and drivers who deliver them, over the product's API, until the signal. Counts in `tally`.
 * @throws Error with a message for the user when no accounts can be created
 */
export async function simulate(simulation: Simulation, tally: Tally): Promise<void> {
  const { api, admin } = simulation;
  const dispatcher = admin ? await api(null).auth.login({ body: admin }) : null;
  const createAccount = await findAccountCreation(api, dispatcher);
  const accounts = async (role: Role, count: number) => {
    const created: Account[] = [];
    while (created.length < count && !simulation.signal.aborted) created.push(await createAccount(role));
    return created;
  };
  const owners = await accounts('owner', simulation.owners);
  const drivers = await accounts('driver', simulation.drivers);
  const onRoutes = dispatcher ? drivers.slice(0, Math.ceil(drivers.length / 2)) : [];
  const plan = planRoutesFor(new Set(onRoutes.map(({ id }) => id)));
  await Promise.all([
    ...owners.map((account) => runAs(simulation, tally, account, actAsOwner)),
    ...drivers.map((account) =>
      runAs(simulation, tally, account, onRoutes.includes(account) ? driveRoute : actAsDriver),
    ),
    ...(dispatcher ? [runAs(simulation, tally, dispatcher, plan)] : []),
  ]);
}

interface Account {
  id: string;
  token: string;
}

/** Returns how to create accounts: by the given administrator, else by signing up. */
async function findAccountCreation(
  api: Simulation['api'],
  admin: Account | null,
): Promise<(role: Role) => Promise<Account>> {
  const anonymous = api(null);
  if (admin) {
    const { users } = api(admin.token);
    return async (role) => {
      const account = generateAccount(role);
      await users.create({ body: account });
      return anonymous.auth.login({ body: { email: account.email, password: account.password } });
    };
  }
  const help = 'Give --email and --password of an administrator, who then makes the accounts.';
  const policy = await anonymous.auth.signUpPolicy();
  for (const role of ['owner', 'driver'] as const) {
    if (policy[role] !== 'open') throw new Error(`Signing up as ${role} is not open here (${policy[role]}). ${help}`);
  }
  return (role) =>
    anonymous.auth.register({ body: generateAccount(role) }).catch((error: unknown) => {
      if (!(error instanceof ApiError) || error.code !== 'too_many_requests') throw error;
      throw new Error(`No more accounts can sign up from here for now. ${help}`, { cause: error });
    });
}

const generateAccount = (role: Role) => ({
  name: `${pick(firstNames)} ${pick(lastNames)}`,
  email: `sim-${uuid()}@example.com`,
  password: randomBytes(12).toString('base64url'),
  role,
});

/** A simulated user: their API client, counted calls, and pauses that the signal ends. */
interface SimulatedUser {
  simulation: Simulation;
  tally: Tally;
  userId: string;
  api: Client;
  /** @returns null after a lost race or an unexpected error; counts both */
  call<T>(name: string, work: () => Promise<T>): Promise<T | null>;
  rest(ms: number): Promise<void>;
}

async function runAs(
  simulation: Simulation,
  tally: Tally,
  { id, token }: Account,
  round: (user: SimulatedUser) => Promise<void>,
): Promise<void> {
  const { signal, speed } = simulation;
  const wait = (ms: number) => sleep(ms, undefined, { signal }).catch(() => {});
  const user: SimulatedUser = {
    simulation,
    tally,
    userId: id,
    api: simulation.api(token),
    rest: (ms) => wait((ms * (0.5 + Math.random())) / speed),
    async call(name, work) {
      while (!signal.aborted) {
        const startedAt = performance.now();
        try {
          return await work();
        } catch (error) {
          if (!(error instanceof ApiError)) throw error;
          const seconds = retryDelaySeconds(error);
          if (seconds === null) {
            if (lostRaces.has(error.code)) tally.outrun++;
            else tally.errors.set(error.code, (tally.errors.get(error.code) ?? 0) + 1);
            return null;
          }
          tally.waited++;
          await wait(seconds * 1000);
        } finally {
          const times = tally.calls.get(name) ?? [];
          times.push(performance.now() - startedAt);
          tally.calls.set(name, times);
        }
      }
      return null;
    },
  };
  while (!signal.aborted) await round(user);
}

/** Errors of a lost race, which are expected. */
const lostRaces = new Set<ApiError['code']>(['already_started', 'no_longer_available', 'planned']);

/** Returns the seconds until the call may be retried, or null if retrying is pointless. */
function retryDelaySeconds({ code, status, retryAfterSeconds }: ApiError): number | null {
  if (status === 429 || status === 503 || code === 'network') return retryAfterSeconds ?? 1;
  return null;
}

async function actAsOwner({ simulation, tally, userId, api, call, rest }: SimulatedUser): Promise<void> {
  await rest((simulation.owners * 60_000) / simulation.packagesPerMinute);
  const body = generatePackage();
  const idempotencyKey = uuid();
  if (await call('create', () => api.packages.create({ body, idempotencyKey }))) tally.created++;
  const query = { status: 'delivered', limit: 10 };
  const delivered = await call('owner list', () => api.packages.listOfUser({ params: { id: userId }, query }));
  const unrated = delivered?.items.filter((pkg: Package) => pkg.rating === null) ?? [];
  for (const { id } of unrated.filter(() => Math.random() < share.rate)) {
    const rated = await call('rate', () => api.packages.rate({ params: { id }, body: pick(ratings) }));
    if (rated) tally.rated++;
  }
}

async function actAsDriver(user: SimulatedUser): Promise<void> {
  const { tally, api, call, rest } = user;
  await rest(pause.choose);
  const available = await call('driver list', () => api.deliveries.available({ query: { limit: 20 } }));
  if (!available || available.items.length === 0) return;
  const params = { id: pick(available.items).id };
  const started = await call('start', () => api.deliveries.start({ params }));
  if (!started) return;
  tally.started++;
  await rest(pause.load);
  if (Math.random() < share.next) await call('next', () => api.deliveries.next({ params }));
  await rest(pause.drive);
  if (Math.random() < share.report) {
    const issue = pick(issues);
    if (await call('report', () => api.incidents.reportOnDelivery({ params, body: issue }))) tally.reported++;
  }
  await rest(pause.door);
  await handOver(user, params.id, started.recipientName);
}

/** Completes a delivery, or fails it. */
async function handOver({ tally, api, call }: SimulatedUser, id: string, recipient: string | null): Promise<void> {
  const params = { id };
  if (Math.random() < share.fail) {
    const body = { reason: pick(reasons), location: depot };
    if (await call('fail', () => api.deliveries.fail({ params, body }))) tally.failed++;
  } else {
    const body = { receivedBy: pick([recipient ?? 'Reception', 'Neighbour', 'Reception']), note: pick(notes) };
    if (await call('complete', () => api.deliveries.complete({ params, body }))) tally.delivered++;
  }
}

/** Splits what waits of the simulation among the drivers who have no route. */
const planRoutesFor =
  (driverIds: ReadonlySet<string>) =>
  async ({ api, call, rest }: SimulatedUser): Promise<void> => {
    await rest(pause.plan);
    const [depot] = (await call('depots', () => api.depots.list())) ?? [];
    if (!depot) return;
    const day = dayIn(depot.timeZone, new Date());
    const taken = new Set<string | null>();
    let cursor: string | null | undefined;
    do {
      const query = { day, limit: 50, ...(cursor && { cursor }) };
      const page = await call('route list', () => api.routes.list({ query }));
      if (!page) return;
      for (const { id, state, driverId, stops } of page.items) {
        const isOwn = driverId !== null && driverIds.has(driverId);
        // Others were quicker to start its packages.
        if (isOwn && state === 'planned' && stops.length === 0)
          await call('remove route', () => api.routes.remove({ params: { id } }));
        else if (state !== 'finished') taken.add(driverId);
      }
      cursor = page.next;
    } while (cursor);
    const free = [...driverIds].filter((id) => !taken.has(id)).slice(0, maxSplit);
    const body = { filter: { reference: referencePrefix }, all: true };
    const waiting = await call('select', () => api.dispatch.select({ body }));
    const packageIds = waiting?.packageIds.slice(0, free.length * stopsOfRoute) ?? [];
    const drivers = free.slice(0, Math.floor(packageIds.length / fewestStops));
    if (drivers.length === 0) return;
    await call('split', () =>
      api.dispatch.split({
        body: { day, depotId: depot.id, driverIds: drivers, selection: { packageIds }, confirm: true },
      }),
    );
  };

/** Drives the driver's next route: loads, starts, goes from stop to stop, and counts at the end what is left. */
async function driveRoute(user: SimulatedUser): Promise<void> {
  const { tally, api, call, rest } = user;
  await rest(pause.choose);
  const own = await call('own routes', () => api.routes.mine({ query: {} }));
  const route = own?.items.find(({ state, stops }) => state === 'started' || stops.length > 0);
  if (!route) return;
  const params = { id: route.id };
  if (route.state === 'planned') {
    await rest(pause.load);
    if (!(await call('start route', () => api.routes.start({ params, body: null })))) return;
    tally.started += route.stops.length;
    tally.routesStarted++;
  }
  for (;;) {
    await rest(pause.drive);
    const now = await call('route', () => api.routes.read({ params }));
    if (!now) return;
    const open = now.stops.filter(({ state }) => isOpenStop(state));
    const stop = open.find(({ state }) => state !== 'open') ?? open[0];
    if (!stop || (open.length === 1 && Math.random() < share.left)) {
      const body = { returned: open.map(({ packageId }) => packageId) };
      if (await call('finish route', () => api.routes.finish({ params, body }))) tally.routesFinished++;
      return;
    }
    await call('arrive', () => api.deliveries.arrive({ params: { id: stop.packageId }, body: null }));
    await rest(pause.door);
    await handOver(user, stop.packageId, stop.delivery.recipientName);
  }
}

function pick<T>(from: readonly T[]): T {
  const picked = from[Math.floor(Math.random() * from.length)];
  if (picked === undefined) throw new Error('nothing to pick from');
  return picked;
}

function generatePackage() {
  const [name, category, weight] = pick(goods);
  return {
    name,
    category,
    weight: Math.round(weight * (0.8 + Math.random() * 0.4) * 10) / 10,
    description: `${name}, packed for delivery within Riverton.`,
    recipientName: `${pick(firstNames)} ${pick(lastNames)}`,
    recipientContact: `+1555010${String(Math.floor(Math.random() * 1000)).padStart(3, '0')}`,
    location: depot,
    reference: `${referencePrefix}${uuid()}`,
    eta: new Date(Date.now() + (1 + Math.floor(Math.random() * 3)) * 86_400_000).toISOString().slice(0, 10),
    address: {
      street: `${pick(streets)} ${1 + Math.floor(Math.random() * 60)}`,
      postalCode: '40112',
      city: 'Riverton',
    },
  };
}

const goods: [name: string, category: CreatePackageInput['category'], weight: number][] = [
  ['Desk lamp', 'Furniture', 2.8],
  ['Wireless headphones', 'Electronics', 0.6],
  ['Rain jacket', 'Clothing', 1.1],
  ['Detective novels', 'Books', 2.2],
  ['Coffee beans', 'Food', 3.0],
  ['Building blocks', 'Toys', 2.4],
  ['Signed contract', 'Documents', 0.3],
  ['Bandages and gauze', 'Medical', 1.4],
  ['Bicycle lights', 'Other', 0.5],
];
const firstNames = [
  'Ana',
  'Bruno',
  'Carla',
  'Deniz',
  'Elif',
  'Farid',
  'Gloria',
  'Henrik',
  'Iris',
  'Jamal',
  'Keiko',
  'Lars',
];
const lastNames = ['Almeida', 'Berg', 'Castillo', 'Dimitrov', 'Eriksen', 'Fischer', 'Gomez', 'Hughes', 'Ito', 'Jansen'];
const streets = [
  'Harbour Street',
  'Mill Lane',
  'Station Road',
  'Chestnut Avenue',
  'Bridge Street',
  'Park Way',
  'Lakeside',
];
const notes = ['Handed over at the door', 'Left with the front desk', 'Taken by a neighbour, as asked for'];
const reasons = ['Nobody was at home', 'The address could not be found', 'The recipient asked for another day'];
const issues = [
  { type: 'Delay' as const, issue: 'Standing in traffic at the bridge' },
  { type: 'Damage' as const, issue: 'The box has a dent on one side' },
  { type: 'Vehicle' as const, issue: 'Flat tyre; it goes on in a few minutes' },
];
const ratings = [
  { stars: 5, comment: 'Quick and friendly' },
  { stars: 5 },
  { stars: 4 },
  { stars: 3, comment: 'A little late' },
];
