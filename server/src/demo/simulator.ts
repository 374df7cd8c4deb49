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
import type { Point } from '../travel/estimate.ts';
import { drivingOf, pointOn, wayBetween } from './streets.ts';

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
  /** Accounts that are there already, in place of new ones. */
  present?: { owners: Account[]; drivers: Account[] };
  /** More drivers who are there already. They drive the routes that they have today, and choose nothing. */
  rounds?: Account[];
  /** How fast drivers drive at speed 1, in km/h. Without it every leg takes as long, however far it is. */
  kmh?: number | null;
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
  /** Offers of stops that a colleague accepted. */
  accepted: number;
  /** Drivers who fell ill on the road. */
  sick: number;
  /** Their stops that were given to others. */
  reassigned: number;
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
  accepted: 0,
  sick: 0,
  reassigned: 0,
  outrun: 0,
  waited: 0,
  errors: new Map(),
  calls: new Map(),
});

/** Pauses between the steps of a delivery, in ms at speed 1. */
const pause = { choose: 4000, load: 5000, drive: 15_000, door: 4000, stay: 100_000, plan: 10_000, answer: 8000 };

/** A phone says where it is so many times on a leg, and no more often than this in ms, however quick everything goes. */
const reportsOfLeg = 6;
const leastBetweenReports = 1000;

/** The location of new packages and of failed deliveries. */
const depot = 'Riverton depot';

/**
 * Shares of deliveries that are marked as next, that fail, that get an incident, and that are rated; of routes that end with a stop left; of
 * stops where the driver presses nothing on arrival, but stays so long that their position says it; of offers that are accepted; of stops before which the driver offers one to a colleague, or falls ill.
 */
const share = {
  next: 0.7,
  fail: 0.08,
  report: 0.06,
  rate: 0.5,
  left: 0.1,
  stay: 0.1,
  accept: 0.7,
  offer: 0.06,
  sick: 0.02,
};

/** Packages of the simulation have references that begin with this, so that no others are planned. */
const referencePrefix = 'sim-';

/** Of a simulated route. */
const stopsOfRoute = 12;
const fewestStops = 3;

/** As often a sick driver looks whether colleagues have the stops, before they go back to the depot. */
const looksOfSick = 6;

/**
 * Simulates owners who create packages and drivers who deliver them, over the product's API, until the signal. Counts in `tally`.
 * @throws Error with a message for the user when no accounts can be created
 */
export async function simulate(simulation: Simulation, tally: Tally): Promise<void> {
  const { api, admin } = simulation;
  const dispatcher = admin ? await api(null).auth.login({ body: admin }) : null;
  const { present } = simulation;
  const createAccount = present ? null : await findAccountCreation(api, dispatcher);
  const accounts = async (role: Role, count: number) => {
    const created: Account[] = [];
    while (createAccount && created.length < count && !simulation.signal.aborted)
      created.push(await createAccount(role));
    return created;
  };
  const owners = present?.owners ?? (await accounts('owner', simulation.owners));
  const drivers = present?.drivers ?? (await accounts('driver', simulation.drivers));
  const onRoutes = dispatcher ? drivers.slice(0, Math.ceil(drivers.length / 2)) : [];
  const plan = planRoutesFor(new Set(onRoutes.map(({ id }) => id)));
  await Promise.all([
    ...owners.map((account) => runAs(simulation, tally, account, actAsOwner)),
    ...drivers.map((account) =>
      runAs(simulation, tally, account, onRoutes.includes(account) ? driveRoute : actAsDriver),
    ),
    ...(simulation.rounds ?? []).map((account) => runAs(simulation, tally, account, driveRoute)),
    ...(dispatcher ? [runAs(simulation, tally, dispatcher, plan)] : []),
  ]);
}

/** Signed in. */
export interface Account {
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
  /** Of a driver: where their phone is, and when it said so last. Null before the first drive. */
  phone: { at: Point; reportedAt: number } | null;
  /**
   * @param expected errors that are a lost race of this call, beside those of all
   * @returns null after a lost race or an unexpected error; counts both
   */
  call<T>(name: string, work: () => Promise<T>, expected?: ApiError['code'][]): Promise<T | null>;
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
    phone: null,
    rest: (ms) => wait((ms * (0.5 + Math.random())) / speed),
    async call(name, work, expected = []) {
      while (!signal.aborted) {
        const startedAt = performance.now();
        try {
          return await work();
        } catch (error) {
          if (!(error instanceof ApiError)) throw error;
          const seconds = retryDelaySeconds(error);
          if (seconds === null) {
            if (lostRaces.has(error.code) || expected.includes(error.code)) tally.outrun++;
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
  await drive(user, started.place);
  if (Math.random() < share.report) {
    const issue = pick(issues);
    if (await call('report', () => api.incidents.reportOnDelivery({ params, body: issue }))) tally.reported++;
  }
  await rest(pause.door);
  await handOver(user, params.id, started.recipientName);
}

/** Drives to a place, if it is known, and says where the phone is meanwhile. */
async function drive(user: SimulatedUser, to: Point | null): Promise<void> {
  const { rest } = user;
  if (!to) return rest(pause.drive);
  await takePhone(user, to);
  const way = wayBetween(user.phone?.at ?? to, to);
  const { kmh } = user.simulation;
  const { ms, reports } = kmh ? drivingOf(way, kmh) : { ms: pause.drive, reports: reportsOfLeg };
  for (let step = 1; step <= reports && !user.simulation.signal.aborted; step++) {
    await rest(ms / reports);
    await reportFrom(user, pointOn(way, step / reports));
  }
}

/** The driver agrees to share their position. The first drive begins at the first depot. */
async function takePhone(user: SimulatedUser, otherwise: Point): Promise<void> {
  if (user.phone) return;
  const { api, call } = user;
  await call('agree', () => api.positions.agree({ body: { agreed: true } }));
  const depots = await call('depots', () => api.depots.list());
  user.phone = { at: depots?.[0]?.place ?? otherwise, reportedAt: 0 };
}

async function reportFrom(user: SimulatedUser, { lon, lat }: Point): Promise<void> {
  const now = Date.now();
  if (!user.phone || user.simulation.signal.aborted) return;
  user.phone.at = { lon, lat };
  if (now - user.phone.reportedAt < leastBetweenReports) return;
  user.phone.reportedAt = now;
  const position = { at: new Date(now).toISOString(), lon, lat, accuracy: 5 + Math.round(Math.random() * 10) };
  // The package may be gone by now, and with it the work.
  await user.call('position', () => user.api.positions.report({ body: { positions: [position] } }), ['off_duty']);
}

/** Stays at a door without pressing anything. */
async function stay(user: SimulatedUser): Promise<void> {
  for (let step = 1; step <= reportsOfLeg; step++) {
    await user.rest(pause.stay / reportsOfLeg);
    if (user.phone) await reportFrom(user, user.phone.at);
  }
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
  async ({ tally, api, call, rest }: SimulatedUser): Promise<void> => {
    await rest(pause.plan);
    const [depot] = (await call('depots', () => api.depots.list())) ?? [];
    if (!depot) return;
    const day = dayIn(depot.timeZone, new Date());
    const absent = await call('absences', () => api.absences.list({ query: { from: day, to: day, limit: 200 } }));
    if (!absent) return;
    const sick = new Set(absent.items.flatMap(({ driverId }) => (driverIds.has(driverId) ? driverId : [])));
    const taken = new Set<string | null>(sick);
    const toBeMoved = new Set<string>();
    const takers: string[] = [];
    let cursor: string | null | undefined;
    do {
      const query = { day, limit: 50, ...(cursor && { cursor }) };
      const page = await call('route list', () => api.routes.list({ query }));
      if (!page) return;
      for (const { id, state, driverId, stops } of page.items) {
        if (driverId !== null && sick.has(driverId)) {
          if (state === 'started' && stops.some((stop) => isOpenStop(stop.state))) toBeMoved.add(driverId);
          continue;
        }
        const isOwn = driverId !== null && driverIds.has(driverId);
        // Others were quicker to start its packages.
        if (isOwn && state === 'planned' && stops.length === 0)
          await call('remove route', () => api.routes.remove({ params: { id } }));
        else if (state !== 'finished') {
          taken.add(driverId);
          if (isOwn && state === 'started') takers.push(id);
        }
      }
      cursor = page.next;
    } while (cursor);
    if (takers.length > 0)
      for (const driverId of toBeMoved) {
        const body = { driverId, day, to: takers.slice(0, maxSplit) };
        // One of these routes may be finished by now.
        const moved = await call('reassign', () => api.dispatch.reassign({ body }), ['illegal_step']);
        tally.reassigned += moved?.done.length ?? 0;
      }
    const free = [...driverIds].filter((id) => !taken.has(id)).slice(0, maxSplit);
    const body = { filter: { reference: referencePrefix }, all: true };
    const waiting = await call('select', () => api.dispatch.select({ body }));
    const packageIds = waiting?.packageIds.slice(0, free.length * stopsOfRoute) ?? [];
    const drivers = free.slice(0, Math.floor(packageIds.length / fewestStops));
    if (drivers.length === 0) return;
    const split = { day, depotId: depot.id, driverIds: drivers, selection: { packageIds }, confirm: true };
    // Others may have started all of these packages by now.
    await call('split', () => api.dispatch.split({ body: split }), ['invalid']);
  };

/** Drives the driver's next route: loads, starts, goes from stop to stop, and counts at the end what is left. */
async function driveRoute(user: SimulatedUser): Promise<void> {
  const { tally, api, call, rest } = user;
  await rest(pause.choose);
  const own = await call('own routes', () => api.routes.mine({ query: {} }));
  // Not those of days to come; a day of the depot may be half a day ahead of this one.
  const latest = dayIn('UTC', new Date(Date.now() + 12 * 3_600_000));
  const route = own?.items.find(({ state, stops, day }) => state === 'started' || (stops.length > 0 && day <= latest));
  if (!route) return;
  const params = { id: route.id };
  if (route.state === 'planned') {
    await rest(pause.load);
    const started = await call('start route', () => api.routes.start({ params, body: null }));
    if (!started) return;
    tally.started += started.stops.length;
    tally.routesStarted++;
  }
  for (;;) {
    const before = await call('route', () => api.routes.read({ params }));
    const ahead = before?.stops.filter(({ state }) => isOpenStop(state)) ?? [];
    await drive(user, (ahead.find(({ state }) => state !== 'open') ?? ahead[0])?.delivery.place ?? null);
    const offered = await answerOffers(user);
    if (Math.random() < share.sick) return fallIll(user, route, offered);
    const now = await call('route', () => api.routes.read({ params }));
    if (!now) return;
    const isOffered = ({ packageId }: { packageId: string }) => offered.some(({ packages }) => packages.has(packageId));
    const all = now.stops.filter(({ state }) => isOpenStop(state));
    const open = all.filter((stop) => !isOffered(stop));
    if (offered.length > 0 && open.length === 0) {
      await withdraw(user, offered);
      continue;
    }
    if (offered.length === 0 && open.length > 2 && Math.random() < share.offer) {
      await offerLast(user, route.id, open.at(-1)?.packageId ?? '');
      continue;
    }
    const stop = open.find(({ state }) => state !== 'open') ?? open[0];
    if (!stop || (offered.length === 0 && open.length === 1 && Math.random() < share.left)) {
      const body = { returned: open.map(({ packageId }) => packageId) };
      if (await call('finish route', () => api.routes.finish({ params, body }))) tally.routesFinished++;
      return;
    }
    if (user.phone && Math.random() < share.stay) await stay(user);
    else {
      await call('arrive', () => api.deliveries.arrive({ params: { id: stop.packageId }, body: null }));
      await rest(pause.door);
    }
    await handOver(user, stop.packageId, stop.delivery.recipientName);
  }
}

interface OwnOffer {
  id: string;
  packages: ReadonlySet<string>;
}

/** Accepts or declines what colleagues offer. @returns the driver's own open offers */
async function answerOffers({ tally, userId, api, call }: SimulatedUser): Promise<OwnOffer[]> {
  const own: OwnOffer[] = [];
  for (const { id, fromDriverId, deliveries } of (await call('offers', () => api.offers.mine())) ?? []) {
    const params = { id };
    if (fromDriverId === userId) own.push({ id, packages: new Set(deliveries.map((delivery) => delivery.id)) });
    else if (Math.random() >= share.accept) await call('decline', () => api.offers.decline({ params }));
    else if (await call('accept', () => api.offers.accept({ params }))) tally.accepted++;
  }
  return own;
}

/** Offers a stop to a colleague who is on the road. */
async function offerLast({ api, call }: SimulatedUser, routeId: string, packageId: string): Promise<void> {
  const colleagues = await call('colleagues', () => api.offers.colleagues());
  if (!colleagues || colleagues.length === 0) return;
  const body = { packageIds: [packageId], driverId: pick(colleagues).id };
  await call('offer', () => api.offers.create({ params: { id: routeId }, body }));
}

async function withdraw({ api, call }: SimulatedUser, offers: OwnOffer[]): Promise<void> {
  for (const { id } of offers) await call('withdraw', () => api.offers.remove({ params: { id } }));
}

/** The driver reports sick, waits until others have the stops, counts back what nobody took, and is well again. */
async function fallIll(user: SimulatedUser, route: { id: string; day: string }, offered: OwnOffer[]): Promise<void> {
  const { tally, api, call, rest } = user;
  await withdraw(user, offered);
  const body = { kind: 'sick' as const, from: route.day, to: route.day };
  const absence = await call('report sick', () => api.absences.report({ body }));
  if (!absence) return;
  tally.sick++;
  const params = { id: route.id };
  for (let look = 1; look <= looksOfSick; look++) {
    await rest(pause.answer);
    const now = await call('route', () => api.routes.read({ params }));
    const open = now?.stops.filter(({ state }) => isOpenStop(state)) ?? [];
    if (open.length > 0 && look < looksOfSick) continue;
    const returned = open.map(({ packageId }) => packageId);
    if (await call('finish route', () => api.routes.finish({ params, body: { returned } }))) tally.routesFinished++;
    break;
  }
  await call('well again', () => api.absences.remove({ params: { id: absence.id } }));
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
