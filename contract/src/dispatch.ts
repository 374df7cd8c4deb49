import * as z from 'zod/mini';
import {
  blankToNull,
  ById,
  Confirm,
  Day,
  DayInput,
  Id,
  Instant,
  InstantInput,
  invalidCursor,
  text,
  wholeNumber,
} from './common.ts';
import { group } from './endpoint.ts';
import { packageStatuses } from './packages.ts';
import { placeAccuracies, Position } from './places.ts';
import { RefusedStops, Route, StopsResult } from './routes.ts';

/** The parts of the day by which preferred windows are filtered, by their start in the organisation's zone. `none`: without a window. */
export const windowParts = ['morning', 'afternoon', 'evening', 'none'] as const;

/** A weight in a query string. It stays a text: the same filter is sent in bodies, too. */
const kilograms = (label: string) =>
  z.string().check(z.regex(/^\d{1,3}(\.\d{1,3})?$/, `${label} must be a number of kilograms like 2.5`));

/** What waits to be planned, filtered. */
const filterFields = {
  /** A text of the package: name, recipient, tracking ID, address. */
  q: z.optional(text('Search', { max: 120 })),
  /** The beginning of a postal code or town. */
  place: z.optional(text('Place', { max: 120 })),
  /** When the preferred window begins: before 12:00, before 17:00, or later. */
  window: z.optional(z.enum(windowParts)),
  ownerId: z.optional(Id),
  /** A part of the owner's name. */
  owner: z.optional(text('Owner', { max: 120 })),
  /** Kilograms, both included. */
  weightFrom: z.optional(kilograms('weightFrom')),
  weightTo: z.optional(kilograms('weightTo')),
  /** The beginning of a reference. */
  reference: z.optional(text('Reference', { max: 64 })),
  /** What can be delivered on this day: the ETA and the window's day are not later. */
  day: z.optional(DayInput),
};

const attemptsAtLeast = z.enum(['0', '1', '2'], 'attempts must be 0, 1 or 2');

/** `attempts`: 0: none yet; 1 or 2: at least so many. */
export const WaitingFilter = z.strictObject({ ...filterFields, attempts: z.optional(attemptsAtLeast) });
export type WaitingFilter = z.output<typeof WaitingFilter>;

/** The most groups of one page. */
export const maxWaitingGroups = 200;

const groupFields = { postalCode: z.nullable(z.string()), town: z.nullable(z.string()) };

/** The waiting packages of one postal code and town. Both null: they have no address. Weight in kg. */
export const WaitingGroup = z.object({ ...groupFields, packages: z.int(), kilograms: z.number() });
export type WaitingGroup = z.output<typeof WaitingGroup>;

export const Waiting = z.object({
  /** By postal code and town, those without an address last. */
  groups: z.array(WaitingGroup),
  /** The `after` of the next page; null on the last one. */
  next: z.nullable(z.string()),
  /** All that match, on every page. */
  packages: z.int(),
  kilograms: z.number(),
});
export type Waiting = z.output<typeof Waiting>;

/** A package that waits to be planned. Street and tracking ID are hidden from callers without `packages.view_all`, as before a start. */
export const WaitingPackage = z.object({
  id: z.string(),
  trackingId: z.string(),
  name: z.string(),
  ...groupFields,
  street: z.nullable(z.string()),
  window: z.nullable(z.object({ from: Instant, to: Instant })),
  ownerId: z.string(),
  owner: z.nullable(z.string()),
  weight: z.number(),
  /** How many attempts have failed. */
  attempts: z.int(),
  reference: z.nullable(z.string()),
  eta: z.nullable(Day),
  /** An attempt failed, and nobody has counted it in at the depot or said where else it is: its driver still has it. */
  inVan: z.boolean(),
  /** It goes back to its owner: its stop is at the return address, not here. */
  returns: z.boolean(),
  /** When it is tried again, unless somebody plans it otherwise; null before its first attempt. */
  proposedDay: z.nullable(Day),
});
export type WaitingPackage = z.output<typeof WaitingPackage>;

const groupKey = z.strictObject({
  postalCode: blankToNull(text('Postal code', { max: 20 })),
  town: blankToNull(text('Town', { max: 120 })),
});

/** The most waiting packages of a map. */
export const maxMappedWaiting = 5000;

/** A waiting package as a point of the dispatch map. */
export const MappedWaiting = z.extend(Position, { id: z.string(), ...groupFields, weight: z.number() });
export type MappedWaiting = z.output<typeof MappedWaiting>;

/** What is chosen of the waiting packages, without naming thousands of ids: everything that matches, groups, or packages. */
export const WaitingSelection = z.strictObject({
  filter: z.optional(WaitingFilter),
  /** Everything that matches the filter. */
  all: z.optional(z.boolean()),
  groups: z.optional(z.array(groupKey).check(z.maxLength(1000, 'At most 1000 groups at a time'))),
  packageIds: z.optional(z.array(Id).check(z.maxLength(2000, 'At most 2000 packages at a time'))),
  /** What is left out of all of these. */
  except: z.optional(z.array(Id).check(z.maxLength(2000, 'At most 2000 packages at a time'))),
  /** Leaves out what is proposed for a later day than this one, unless `packageIds` names it. */
  dueBy: z.optional(DayInput),
});
export type WaitingSelection = z.output<typeof WaitingSelection>;

/** The most routes of one split. */
export const maxSplit = 50;
/** The most packages of one split. */
export const maxSplitPackages = 5000;
/** Of as many packages that were tried before it is counted how many are proposed for a later day. */
export const maxTried = 5000;

export const SplitInput = z.strictObject({
  day: DayInput,
  depotId: Id,
  /** One route for each. */
  driverIds: z.optional(
    z.array(Id).check(
      z.maxLength(maxSplit, `At most ${maxSplit} routes at a time`),
      z.refine((ids) => new Set(ids.map((id) => id.toLowerCase())).size === ids.length, 'Each driver only once'),
    ),
  ),
  /** How many routes, if that is more than the drivers: the rest has no driver yet. */
  routes: z.optional(z.int().check(z.minimum(1), z.maximum(maxSplit, `At most ${maxSplit} routes at a time`))),
  /** Without it each route starts with its driver's shift of that day, else when the depot opens, else at 08:00 in the depot's zone. */
  startsAt: z.optional(z.nullable(InstantInput)),
  selection: WaitingSelection,
  confirm: Confirm,
});
export type SplitInput = z.output<typeof SplitInput>;

/** The new routes in the order of the postal codes. `refused`: packages of the selection that no longer waited. */
export const SplitResult = z.object({ routes: z.array(Route), refused: RefusedStops });
export type SplitResult = z.output<typeof SplitResult>;

/** `to`: routes of other drivers, which share what the driver has. */
export const ReassignInput = z.strictObject({
  driverId: Id,
  day: DayInput,
  to: z
    .array(Id)
    .check(z.minLength(1, 'Please choose at least one route'), z.maxLength(maxSplit, `At most ${maxSplit} routes`)),
});
export type ReassignInput = z.output<typeof ReassignInput>;

/** Where one more stop costs least on a route, and what it costs there. */
export const Insertion = z.object({
  routeId: z.string(),
  driverId: z.nullable(z.string()),
  state: z.enum(['planned', 'started']),
  /** Of the route: to be sent with `POST /routes/{id}/insert`, as `before` is. */
  version: z.int(),
  before: z.nullable(z.string()),
  /** Its number on the route. */
  position: z.int(),
  arrivesAt: Instant,
  /** When the route ends then. */
  endsAt: Instant,
  /** How much further it is, and how much longer the route takes. */
  metres: z.number(),
  seconds: z.number(),
  /** The stops that come after their window because of it, by so many seconds; this one, too. */
  late: z.array(z.object({ packageId: z.string(), name: z.string(), seconds: z.int() })),
});
export type Insertion = z.output<typeof Insertion>;

/** A driver's route that is not finished, without its stops. */
export const BusyDriver = z.object({
  driverId: z.string(),
  routeId: z.string(),
  state: z.enum(['planned', 'started']),
  depotId: z.string(),
  depot: z.string(),
});
export type BusyDriver = z.output<typeof BusyDriver>;

export const Insertions = z.object({
  /** The best first: those that make nobody late, and of these the cheapest. */
  insertions: z.array(Insertion),
  travelTimes: z.enum(['estimated', 'router']),
});
export type Insertions = z.output<typeof Insertions>;

const planning = { access: { anyOf: ['deliveries.assign'] }, scope: 'everything' } as const;
const failure = 'Failed to fetch the waiting packages.';
const notSaved = 'Failed to save the route.';

/** A page of groups begins after this one: postal code and town as JSON. */
const After = z.optional(z.string().check(z.maxLength(300, invalidCursor)));

const degree = /^-?\d{1,3}(\.\d{1,15})?$/;
const degreesOf = (count: number, example: string) =>
  z.pipe(
    z.string().check(
      z.maxLength(100, `Must be like ${example}`),
      z.refine(
        (typed) => typed.split(',').length === count && typed.split(',').every((part) => degree.test(part)),
        `Must be like ${example}`,
      ),
    ),
    z.transform((typed) => typed.split(',').map(Number)),
  );
const isOnEarth = ([lon = NaN, lat = NaN]: number[]) => Math.abs(lon) <= 180 && Math.abs(lat) <= 90;

/** Either. `bbox`: west, south, east, north; `near`: longitude and latitude. */
export const MapQuery = z
  .strictObject({
    bbox: z.optional(
      degreesOf(4, '9.7,53.4,10.3,53.7').check(
        z.refine(
          (box) =>
            isOnEarth(box) &&
            isOnEarth(box.slice(2)) &&
            (box[0] ?? 0) <= (box[2] ?? 0) &&
            (box[1] ?? 0) <= (box[3] ?? 0),
          'West must not be after east, nor south after north',
        ),
      ),
    ),
    near: z.optional(
      z.pipe(
        degreesOf(2, '9.99,53.55').check(z.refine(isOnEarth, 'Must be a place on earth')),
        z.transform(([lon = 0, lat = 0]) => ({ lon, lat })),
      ),
    ),
  })
  .check(
    z.refine(({ bbox, near }) => (bbox === undefined) !== (near === undefined), {
      path: ['bbox'],
      error: 'Give either bbox or near',
    }),
  );
export type MapQuery = z.output<typeof MapQuery>;

/** An unfinished package whose place is known, as a point of a map. */
export const MappedPackage = z.extend(Position, {
  id: z.string(),
  trackingId: z.string(),
  status: z.enum(packageStatuses),
  driverId: z.nullable(z.string()),
  routeId: z.nullable(z.string()),
  accuracy: z.enum(placeAccuracies),
});
export type MappedPackage = z.output<typeof MappedPackage>;

export const dispatch = group({
  /** At most 5,000 of a part of the map; `more`: there are more. The 20 nearest of a place, the nearest first. */
  map: {
    method: 'GET',
    path: '/packages/map',
    summary: 'List the unfinished packages in a part of the map, or nearest to a place',
    failure,
    access: { anyOf: ['packages.view_all'] },
    scope: 'everything',
    query: MapQuery,
    reply: z.object({ packages: z.array(MappedPackage), more: z.boolean() }),
  },
  /** For each planned and started route of the day whose vehicle can take it. */
  insertions: {
    method: 'GET',
    path: '/routes/insertions',
    summary: 'Find where a waiting package costs least',
    failure: 'The best place could not be found.',
    ...planning,
    query: z.strictObject({ packageId: Id, day: DayInput, depotId: Id }),
    reply: Insertions,
    limit: 'optimize',
    errors: ['no_place', 'not_found'],
  },
  /**
   * The next day on which a route could take it after a failed attempt, or after it was counted back: not before what its owner or recipient
   * chose. Null for a package that does not wait, or has not been tried.
   */
  proposedDay: {
    method: 'GET',
    path: '/packages/:id/proposed-day',
    summary: 'Read on which day a package is to be tried again',
    failure: 'Failed to fetch the package.',
    access: { anyOf: ['packages.read'] },
    scope: 'own packages',
    params: ById,
    reply: z.object({ day: z.nullable(Day) }),
  },
  /** The next day for a delivery that is on the road, if it fails now. Null for any other. `returns`: it goes back to its owner then. */
  dayAfterFailing: {
    method: 'GET',
    path: '/deliveries/:id/proposed-day',
    summary: 'Read on which day a delivery could be tried again if it failed now',
    failure: 'Failed to fetch the delivery.',
    access: { anyOf: ['deliveries.update', 'deliveries.assign'] },
    scope: 'own deliveries',
    params: ById,
    reply: z.object({ day: z.nullable(Day), returns: z.boolean() }),
    errors: ['illegal_step'],
  },
  /** Of every depot: a driver who works from one of them cannot be planned from another. */
  busy: {
    method: 'GET',
    path: '/routes/busy',
    summary: 'List the drivers who have a route on a day that is not finished',
    failure: 'Failed to fetch the routes of the drivers.',
    ...planning,
    query: z.strictObject({ day: DayInput }),
    reply: z.array(BusyDriver),
  },
  waiting: {
    method: 'GET',
    path: '/routes/waiting',
    summary: 'Count what waits to be planned, by postal code and town',
    failure,
    ...planning,
    query: z.extend(WaitingFilter, { after: After }),
    reply: Waiting,
  },
  /** At most 5,000; `more`: there are more. Not those whose place is unknown, or only their town. */
  waitingMap: {
    method: 'GET',
    path: '/routes/waiting/map',
    summary: 'Where what waits to be planned goes',
    failure,
    access: { anyOf: ['packages.view_all'] },
    scope: 'everything',
    query: WaitingFilter,
    reply: z.object({ packages: z.array(MappedWaiting), more: z.boolean() }),
  },
  /** By street and house number. `postalCode` and `town` name the group; both empty: without an address. */
  waitingPackages: {
    method: 'GET',
    path: '/routes/waiting/packages',
    summary: 'List what waits to be planned in a postal code and town',
    failure,
    ...planning,
    query: z.extend(WaitingFilter, {
      postalCode: z.optional(z.string().check(z.maxLength(20))),
      town: z.optional(z.string().check(z.maxLength(120))),
      limit: z._default(wholeNumber('limit', 1, 200), 50),
      cursor: z.optional(z.uuid(invalidCursor)),
      count: z.optional(z.stringbool({ truthy: ['true'], falsy: ['false'] })),
    }),
    reply: z.array(WaitingPackage),
    list: true,
  },
  /** In the order of delivery. At most 500, as many as a route has; `packages` is the number of all. */
  select: {
    method: 'POST',
    path: '/routes/waiting/select',
    summary: 'The ids of a selection of waiting packages, by postal code, street and house number',
    failure,
    ...planning,
    body: WaitingSelection,
    reply: z.object({
      packageIds: z.array(z.string()),
      packages: z.int(),
      /** What `dueBy` leaves out. 5,001: more than 5,000 were tried before, and not all of these were looked at. */
      later: z.int(),
    }),
    repeats: 'are executed again',
  },
  /** Plans new routes of contiguous runs by postal code, street and house number, with as many stops each. All or nothing. */
  split: {
    method: 'POST',
    path: '/routes/split',
    summary: 'Split waiting packages evenly among new routes',
    failure: notSaved,
    ...planning,
    body: SplitInput,
    reply: SplitResult,
    status: 201,
    errors: ['off_duty'],
  },
  /**
   * Gives everything that a driver has planned for a day, and but for a future day what is on the road, to other routes, in contiguous runs that leave these with as
   * many stops each. The driver's planned routes are deleted. All or nothing but for refused packages.
   */
  reassign: {
    method: 'POST',
    path: '/routes/reassign',
    summary: 'Give all stops of a driver to other routes',
    failure: notSaved,
    ...planning,
    body: ReassignInput,
    reply: StopsResult,
  },
});
