import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, type Client, type CreatePackageInput, type Package, type Role } from '@waybill/contract';
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
  /** Creates the accounts if sign-up is not open. */
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
  outrun: 0,
  waited: 0,
  errors: new Map(),
  calls: new Map(),
});

/** Pauses between the steps of a delivery, in ms at speed 1. */
const pause = { choose: 4000, load: 5000, drive: 15_000, door: 4000 };

/** The location of new packages and of failed deliveries. */
const depot = 'Riverton depot';

/** Shares of deliveries that are marked as next, that fail, that get an incident, and that are rated. */
const share = { next: 0.7, fail: 0.08, report: 0.06, rate: 0.5 };

/**
 * Simulates owners who create packages and drivers who deliver them, over the product's API, until the signal. Counts in `tally`.
 * @throws Error with a message for the user when no accounts can be created
 */
export async function simulate(simulation: Simulation, tally: Tally): Promise<void> {
  const createAccount = await findAccountCreation(simulation);
  const accounts = async (role: Role, count: number) => {
    const created: Account[] = [];
    while (created.length < count && !simulation.signal.aborted) created.push(await createAccount(role));
    return created;
  };
  const owners = await accounts('owner', simulation.owners);
  const drivers = await accounts('driver', simulation.drivers);
  await Promise.all([
    ...owners.map((account) => runAs(simulation, tally, account, actAsOwner)),
    ...drivers.map((account) => runAs(simulation, tally, account, actAsDriver)),
  ]);
}

interface Account {
  id: string;
  token: string;
}

/** Returns how to create accounts: by the given administrator, else by signing up. */
async function findAccountCreation({ api, admin }: Simulation): Promise<(role: Role) => Promise<Account>> {
  const anonymous = api(null);
  if (admin) {
    const { users } = api((await anonymous.auth.login({ body: admin })).token);
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
const lostRaces = new Set<ApiError['code']>(['already_started', 'no_longer_available']);

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

async function actAsDriver({ tally, api, call, rest }: SimulatedUser): Promise<void> {
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
  if (Math.random() < share.fail) {
    const body = { reason: pick(reasons), location: depot };
    if (await call('fail', () => api.deliveries.fail({ params, body }))) tally.failed++;
  } else {
    const body = {
      receivedBy: pick([started.recipientName ?? 'Reception', 'Neighbour', 'Reception']),
      note: pick(notes),
    };
    if (await call('complete', () => api.deliveries.complete({ params, body }))) tally.delivered++;
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
