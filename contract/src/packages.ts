import * as z from 'zod/mini';
import {
  ById,
  Day,
  DayInput,
  Email,
  Instant,
  InstantInput,
  Id,
  ListQuery,
  PageQuery,
  blankToNull,
  SortedCursor,
  sortOf,
  paging,
  text,
  severalOf,
  trueOrFalse,
} from './common.ts';
import { group } from './endpoint.ts';
import { EventsQuery, TrackingEvent } from './events.ts';
import { Import, ImportPreview, ImportProgress, ImportQuery } from './imports.ts';
import { Images, imageFile } from './images.ts';
import { PackageIds } from './package-ids.ts';
import { Place, PositionInput } from './places.ts';
import { ErrorCode } from './error-schemas.ts';
import { InternationalPhone, RecipientChange, RecipientLanguage } from './recipients.ts';
import { dayIn } from './zones.ts';

export const packageStatuses = [
  'processing',
  'in transit',
  'out for delivery',
  'delivered',
  'cancelled',
  'inactive',
] as const;
export const PackageStatus = z.enum(packageStatuses);
export type PackageStatus = z.output<typeof PackageStatus>;

/** The location of a package on the road, until its driver reports another one. */
export const withTheDriver = 'With the driver';

/** The state machine of a package. The server enforces it, the web hides illegal actions, a test covers it. */
export const lifecycle = {
  start: { from: ['processing'], to: 'in transit' },
  next: { from: ['in transit'], to: 'out for delivery' },
  arrive: { from: ['in transit', 'out for delivery'], to: 'out for delivery' },
  /** The driver is not at the door after all. */
  retract: { from: ['out for delivery'], to: 'out for delivery' },
  complete: { from: ['in transit', 'out for delivery'], to: 'delivered' },
  fail: { from: ['in transit', 'out for delivery'], to: 'processing' },
  /** The completion of a package that goes back to its owner. */
  return: { from: ['in transit', 'out for delivery'], to: 'cancelled' },
  collect: { from: ['processing'], to: 'delivered' },
  /** Waits again if its driver is not active any more. */
  reopen: { from: ['delivered'], to: 'in transit' },
  assign: { from: ['processing', 'in transit', 'out for delivery'], to: 'in transit' },
  cancel: { from: ['processing'], to: 'cancelled' },
  remove: { from: ['processing', 'cancelled'], to: 'inactive' },
} as const satisfies Record<string, { from: readonly PackageStatus[]; to: PackageStatus }>;
export type LifecycleAction = keyof typeof lifecycle;

/** The status after an action, or null if the action is not legal in this status. */
export function statusAfter(action: LifecycleAction, status: PackageStatus): PackageStatus | null {
  const step: { from: readonly PackageStatus[]; to: PackageStatus } = lifecycle[action];
  return step.from.includes(status) ? step.to : null;
}

export const isOnTheRoad = (status: PackageStatus) => status === 'in transit' || status === 'out for delivery';

/** No delivery action leaves a final status; a cancelled package can still be deleted. */
export const isFinal = (status: PackageStatus) =>
  status === 'delivered' || status === 'cancelled' || status === 'inactive';

export const categories = [
  'Electronics',
  'Clothing',
  'Books',
  'Furniture',
  'Food',
  'Toys',
  'Documents',
  'Medical',
  'Other',
] as const;
export const Category = z.enum(categories, 'Please select a category');

export const trackingIdPattern = /^PKG-[A-Z0-9]{8}$/;

/** A masked tracking ID, for users who may not see the package: the full one opens its public page. */
export const maskTrackingId = (id: string): string => `PKG-…${id.slice(-3)}`;

// Each call of the CSPRNG costs some 3 µs, however few bytes it fills: with a call for each character an ID took over 20 µs.
const randomBytes = new Uint8Array(1024);
let bytesLeft = 0;

/** A new tracking ID: 'PKG-' and 8 random characters from the platform's CSPRNG (36^8, some 2.8 x 10^12). */
export function generateTrackingId(): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
  let id = 'PKG-';
  while (id.length < 12) {
    if (bytesLeft === 0) bytesLeft = crypto.getRandomValues(randomBytes).length;
    const byte = randomBytes[--bytesLeft] ?? 255;
    if (byte < 252) id += alphabet[byte % 36]; // 252 = 7 x 36: higher bytes would bias towards the first letters
  }
  return id;
}

export const Address = z.object({
  street: z.string(),
  postalCode: z.nullable(z.string()),
  city: z.string(),
  country: z.nullable(z.string()),
});
export type Address = z.output<typeof Address>;

const Dimensions = z.object({
  width: z.nullable(z.number()),
  height: z.nullable(z.number()),
  length: z.nullable(z.number()),
});

const TimeWindow = z.object({ from: Instant, to: Instant });

/** When the driver of a started route is expected; null for other packages. `estimatedDeliveryTime` is its median. */
export const ArrivalWindow = z.nullable(TimeWindow);

/** The stops of a started route before this one, 0 for the driver's next; null for other packages. */
export const StopsAway = z.nullable(z.int());

/** From which age on a package may be handed over that asks for a check. */
export const checkedAge = 18 as const;

/**
 * Special handling. `safePlace`: where to leave it without handing it over. `pin`: the recipient has 4 digits that the driver must type.
 * `age`: the driver must check that who takes it is so old.
 */
export const Handling = z.object({
  fragile: z.boolean(),
  keepUpright: z.boolean(),
  refrigerated: z.boolean(),
  signatureRequired: z.boolean(),
  pin: z.boolean(),
  age: z.nullable(z.literal(18)),
  safePlace: z.nullable(z.string()),
});
export type Handling = z.output<typeof Handling>;

/** A PIN at the door: asked for; locked after too many wrong ones, until a dispatcher releases it; or not asked any more. Null without one. */
export const PinState = z.nullable(z.enum(['asked', 'locked', 'waived']));
export type PinState = z.output<typeof PinState>;

export const nextSteps = ['again', 'collect', 'return'] as const;

/**
 * What happens to a package that was not delivered: another attempt, on this day if there is one; collected at the depot; or back to its
 * owner. The owner decides; a driver may propose a day.
 */
export const NextStep = z.object({ kind: z.enum(nextSteps), day: z.nullable(Day) });
export type NextStep = z.output<typeof NextStep>;

/** A `day` only for another attempt. */
export const NextStepInput = z
  .strictObject({ kind: z.enum(nextSteps, 'Must be again, collect or return'), day: z.nullish(blankToNull(DayInput)) })
  .check(
    z.refine(({ kind, day }) => kind === 'again' || !day, {
      path: ['day'],
      error: 'A day is only for another attempt',
    }),
  );
export type NextStepInput = z.output<typeof NextStepInput>;

/** A rating of the delivery, given once by the owner, and once by the recipient. */
export const Rating = z.object({
  stars: z.int().check(z.minimum(1), z.maximum(5)),
  comment: z.nullable(z.string()),
  at: Instant,
});
export type Rating = z.output<typeof Rating>;

export const RatePackageInput = z.strictObject({
  stars: z
    .int('Stars must be a whole number from 1 to 5')
    .check(z.minimum(1, 'Stars must be from 1 to 5'), z.maximum(5, 'Stars must be from 1 to 5')),
  comment: z.optional(blankToNull(text('Comment', { max: 2000, multiline: true }))),
});
export type RatePackageInput = z.output<typeof RatePackageInput>;

const LastFailedAttempt = z.object({
  /** By the driver's device. */
  at: Instant,
  /** With the driver's note, if there is one: 'Other: The gate was locked'. */
  reason: z.nullable(z.string()),
  /** A URL that expires after an hour. */
  photo: z.nullable(z.string()),
  cardLeft: z.boolean(),
});

export const FailedAttempt = z.extend(LastFailedAttempt, {
  /** Counts all attempts of the package, also the one that delivered it. */
  number: z.int(),
  /** The driver's name; null if the account is deleted. */
  driver: z.nullable(z.string()),
});
export type FailedAttempt = z.output<typeof FailedAttempt>;

const PlaceInput = z.extend(PositionInput, {
  /** Of what goes back to its owner: where that is, not its recipient. */
  returnAddress: z.optional(z.boolean()),
});
export type PlaceInput = z.output<typeof PlaceInput>;

/**
 * A package as its owner and the administrators see it. Weight in kg, dimensions in cm. `location`: before the start where it was
 * registered, on the road 'With the driver' until the driver reports a location, once delivered the address.
 */
export const Package = z.object({
  _id: z.string(),
  id: z.string(),
  userId: z.string(),
  trackingId: z.string(),
  /** The owner's number for it, such as an order number. */
  reference: z.nullable(z.string()),
  name: z.string(),
  description: z.string(),
  category: z.string(),
  weight: z.number(),
  dimensions: z.nullable(Dimensions),
  recipientName: z.string(),
  recipientContact: z.nullable(z.string()),
  /** Where the recipient is told, in their language; taken from `recipientContact` if it is such an address or number and no other is given. */
  recipientEmail: z.nullable(z.string()),
  recipientPhone: z.nullable(z.string()),
  recipientLanguage: z.nullable(RecipientLanguage),
  recipientAddress: z.nullable(z.string()),
  address: z.nullable(Address),
  /** Where the address is; null until that is known. */
  place: z.nullable(Place),
  window: z.nullable(TimeWindow),
  handling: Handling,
  pinState: PinState,
  /** For the driver, who sees them after the start. */
  instructions: z.nullable(z.string()),
  hideRecipient: z.boolean(),
  /** Whether the public page shows the owner's name. */
  showSender: z.boolean(),
  /** Whether the recipient may change the delivery by their link. */
  allowChanges: z.boolean(),
  /** What the recipient has changed by it, the latest last. */
  recipientChanges: z.array(RecipientChange),
  status: PackageStatus,
  location: z.nullable(z.string()),
  eta: z.nullable(Day),
  images: z.array(z.string()),
  driverId: z.nullable(z.string()),
  /** The route that has it, or had it last. While it is only planned, null for callers who may not see routes. */
  routeId: z.nullable(z.string()),
  /** The depot where it waits, or waited last; null: the only one, or any. */
  depotId: z.nullable(z.string()),
  issue: z.nullable(z.string()),
  startTime: z.nullable(Instant),
  /** Null before the start, and on the road while its driver is suspended or deleted. */
  estimatedDeliveryTime: z.nullable(Instant),
  arrivalWindow: ArrivalWindow,
  stopsAway: StopsAway,
  /** In lists: on the route that it is planned on it is forecast after its window or day. On the road the estimate says so. */
  atRisk: z.optional(z.literal(true)),
  actualDeliveryTime: z.nullable(Instant),
  completedAt: z.nullable(Instant),
  receivedBy: z.nullable(z.string()),
  /** When its owner had it back: then it is cancelled. */
  returnedAt: z.nullable(Instant),
  /** The last attempt, if that failed and the package waits for a driver again. */
  failedAttempt: z.nullable(LastFailedAttempt),
  /** Failed attempts. */
  attempts: z.int(),
  /** After too many attempts, or as its owner decided, it goes back to the owner. */
  returnDue: z.boolean(),
  /** Where it goes back to, if it does: the owner's return address. */
  returnTo: z.optional(z.object({ address: z.string(), place: z.nullable(Place) })),
  nextStep: z.nullable(NextStep),
  rating: z.nullable(Rating),
  /** The recipient's own: it counts for the driver in place of the owner's. */
  recipientRating: z.nullable(Rating),
  createdAt: Instant,
  lastUpdate: Instant,
  version: z.int(),
});
export type Package = z.output<typeof Package>;

/**
 * A package that waits for a driver, as drivers see it before the start: without the recipient, with a masked tracking ID, and with the
 * town of the address, or else the package's location, as `location`.
 */
export const AvailablePackage = z.extend(
  z.pick(Package, {
    _id: true,
    id: true,
    trackingId: true,
    name: true,
    description: true,
    category: true,
    weight: true,
    dimensions: true,
    window: true,
    handling: true,
    status: true,
    location: true,
    eta: true,
    images: true,
    createdAt: true,
    lastUpdate: true,
    version: true,
  }),
  { recipientName: z.null(), recipientContact: z.null(), recipientAddress: z.null() },
);
export type AvailablePackage = z.output<typeof AvailablePackage>;

const side = (label: string) =>
  z.optional(
    z.nullable(
      z
        .number(`${label} must be a number`)
        .check(z.minimum(0, `${label} must be positive`), z.maximum(1000, `${label} must be at most 1000cm`)),
    ),
  );

export const maxInstructionsLength = 500;

export const DimensionsInput = z.strictObject({ width: side('Width'), height: side('Height'), length: side('Length') });

export const AddressInput = z.strictObject({
  street: text('Street', { min: 1, tooShort: 'Street is required' }),
  postalCode: z.optional(blankToNull(text('Postal code', { max: 20 }))),
  city: text('City', { min: 1, max: 120, tooShort: 'City is required' }),
  country: z.optional(blankToNull(text('Country', { max: 80 }))),
});

/** Nobody is there to be asked. */
export const safePlaceRefusal = 'What needs a PIN or an age check cannot be left in a safe place';

export const HandlingInput = z
  .strictObject({
    fragile: z._default(z.boolean(), false),
    keepUpright: z._default(z.boolean(), false),
    refrigerated: z._default(z.boolean(), false),
    signatureRequired: z._default(z.boolean(), false),
    pin: z._default(z.boolean(), false),
    age: z._default(z.nullable(z.literal(18, 'The age must be 18')), null),
    safePlace: z.optional(blankToNull(text('Safe place'))),
  })
  .check(
    z.refine(({ pin, age, safePlace }) => !safePlace || !(pin || age), {
      path: ['safePlace'],
      error: safePlaceRefusal,
    }),
  );

/** The error of a preferred time window. */
export const windowOrderMessage = 'The window must end after it starts';

const content = {
  /** Unique among the owner's packages that are neither cancelled nor deleted. */
  reference: z.optional(blankToNull(text('Reference', { max: 64 }))),
  name: text('Name', { min: 3, max: 120, tooShort: 'Name must be at least 3 characters' }),
  description: text('Description', {
    min: 10,
    max: 2000,
    tooShort: 'Description must be at least 10 characters',
    multiline: true,
  }),
  category: Category,
  weight: z.pipe(
    z
      .number({
        error: ({ input }) => (input === undefined ? 'Weight must be at least 0.1kg' : 'Weight must be a number'),
      })
      .check(z.minimum(0.1, 'Weight must be at least 0.1kg'), z.maximum(50, 'Weight must be at most 50kg')),
    z.transform((kg) => Math.round(kg * 1000) / 1000),
  ),
  dimensions: z.optional(z.nullable(DimensionsInput)),
  recipientName: text('Recipient name', {
    min: 3,
    max: 120,
    tooShort: 'Recipient name must be at least 3 characters',
  }),
  recipientContact: text('Contact', { min: 10, tooShort: 'Contact must be at least 10 characters' }),
  recipientEmail: z.optional(blankToNull(Email)),
  recipientPhone: z.optional(blankToNull(InternationalPhone)),
  recipientLanguage: z.optional(blankToNull(RecipientLanguage)),
  location: z.optional(blankToNull(text('Location'))),
  eta: z.optional(blankToNull(DayInput)),
  address: z.optional(z.nullable(AddressInput)),
  window: z.optional(
    z.nullable(
      z.strictObject({ from: InstantInput, to: InstantInput }).check(
        z.refine((window) => Date.parse(window.from) < Date.parse(window.to), {
          path: ['to'],
          error: windowOrderMessage,
        }),
      ),
    ),
  ),
  handling: z.optional(z.nullable(HandlingInput)),
  instructions: z.optional(blankToNull(text('Instructions', { max: maxInstructionsLength, multiline: true }))),
  hideRecipient: z.optional(z.boolean()),
  showSender: z.optional(z.boolean()),
  allowChanges: z.optional(z.boolean()),
  images: z.optional(Images),
};

export type PackageContent = keyof typeof content;

/** The error for an `eta` in the past of the organisation's zone, or null. It names the zone's date if the day is not over yet everywhere. */
export function pastDayError(eta: string, zone: string, now: Date): string | null {
  if (eta >= dayIn(zone, now)) return null;
  const fault = 'Estimated arrival must not be in the past';
  if (eta < dayIn('Etc/GMT+12', now)) return fault;
  const today = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: zone }).format(now);
  return `${fault}: it is ${today} already in ${zone}`;
}

/** The fields that can still change while a driver has the package; those of the public page's privacy can change unless it is deleted. */
const changeableOnTheRoad = new Set<PackageContent>([
  'recipientContact',
  'recipientEmail',
  'recipientPhone',
  'recipientLanguage',
  'allowChanges',
  'window',
  'instructions',
]);
const changeableAlways = new Set<PackageContent>(['hideRecipient', 'showSender']);

/** Whether the owner or an administrator may change this field of a package with this status. */
export function mayChange(field: PackageContent, status: PackageStatus): boolean {
  if (status === 'processing') return true;
  if (changeableAlways.has(field)) return status !== 'inactive';
  return isOnTheRoad(status) && changeableOnTheRoad.has(field);
}

/** Read-only fields: accepted from clients that send the whole package back, and ignored. */
const ignored = z.optional(z.unknown());
const serverOwned = {
  _id: ignored,
  id: ignored,
  userId: ignored,
  createdAt: ignored,
  lastUpdate: ignored,
  recipientAddress: ignored,
  pinState: ignored,
  place: ignored,
  driverId: ignored,
  routeId: ignored,
  depotId: ignored,
  issue: ignored,
  startTime: ignored,
  estimatedDeliveryTime: ignored,
  arrivalWindow: ignored,
  stopsAway: ignored,
  actualDeliveryTime: ignored,
  completedAt: ignored,
  receivedBy: ignored,
  returnedAt: ignored,
  failedAttempt: ignored,
  attempts: ignored,
  returnDue: ignored,
  returnTo: ignored,
  nextStep: ignored,
  recipientChanges: ignored,
  recipientRating: ignored,
  rating: ignored,
};

const packageFields = z.extend(z.strictObject(serverOwned), content);

export const CreatePackageInput = z.extend(packageFields, {
  trackingId: z.optional(
    z.string().check(z.regex(trackingIdPattern, 'Tracking ID must be PKG- and 8 capital letters or digits')),
  ),
  status: z.optional(z.unknown()),
  version: z.optional(z.unknown()),
});
export type CreatePackageInput = z.output<typeof CreatePackageInput>;

export const UpdatePackageInput = z.extend(z.partial(packageFields), {
  trackingId: z.optional(z.unknown()),
  status: z.optional(PackageStatus),
  /** Optimistic lock: the version that was read. If the server's is newer, the reply is 409. */
  version: z.optional(z.int()),
});
export type UpdatePackageInput = z.output<typeof UpdatePackageInput>;

export const statusFilters = [...packageStatuses, 'active'] as const;

/**
 * Filters for problems: `failed=true` had a failed attempt; `overdue=true` is under way after the end of its window, or its eta's day;
 * `atRisk=true` is on the road or planned, and expected after that, though it is not overdue yet.
 */
export const troubleFilters = {
  failed: z._default(trueOrFalse('failed'), false),
  overdue: z._default(trueOrFalse('overdue'), false),
  atRisk: z._default(trueOrFalse('atRisk'), false),
} as const;

/** `needsPin=true`: unfinished, with an address that no exact place was found for. */
export const needsPinFilter = { needsPin: z._default(trueOrFalse('needsPin'), false) } as const;

/** `status` takes one or more statuses, separated by commas; `active` means neither delivered nor inactive. */
const PackageFilters = z.extend(
  z.extend(z.extend(ListQuery, { status: z.optional(severalOf(statusFilters)) }), troubleFilters),
  needsPinFilter,
);

/** The newest first, or by `sort`. */
export const AllPackagesQuery = z.extend(PackageFilters, {
  sort: sortOf(['createdAt', 'lastUpdate']),
  cursor: SortedCursor,
});

/**
 * `sort=status` follows the life cycle, `sort=due` the end of the time window, or else the eta's day. More than 10,000 packages are sorted
 * only by `createdAt`, `lastUpdate`, `status`, and if none of them is final by `due`.
 */
export const PackageListQuery = z.extend(PackageFilters, {
  sort: sortOf(['createdAt', 'lastUpdate', 'status', 'due', 'name', 'recipientName']),
  /** Without `sort`: those on the road first, in the order of their expected arrival, then those that wait, then the others, newest first. */
  byStage: z.optional(trueOrFalse('byStage')),
  cursor: SortedCursor,
});
export type PackageListQuery = z.output<typeof PackageListQuery>;

/** As many ids as an address of at most 4,096 characters has room for. */
export const maxExportedIds = 100;

/** `ids`: only these packages, 1 to 100, separated by commas. */
export const PackageExportQuery = z.extend(z.omit(PackageFilters, paging), {
  ids: z.optional(
    z.pipe(
      z.pipe(
        z.string(),
        z.transform((list) => list.split(',')),
      ),
      z.array(Id).check(z.maxLength(maxExportedIds, `At most ${maxExportedIds} packages at a time`)),
    ),
  ),
});
export type PackageExportQuery = z.output<typeof PackageExportQuery>;

export const PackageSummary = z.object({
  active: z.int(),
  delivered: z.int(),
  outForDelivery: z.int(),
  processing: z.int(),
  cancelled: z.int(),
  unreadNotifications: z.int(),
});
export type PackageSummary = z.output<typeof PackageSummary>;

/** Destination and owner of a package, for dispatchers. */
export const destinationFields = {
  /** On one line. */
  recipientAddress: z.nullable(z.string()),
  window: z.nullable(z.object({ from: Instant, to: Instant })),
  /** The owner's name; null if the account is deleted. */
  owner: z.nullable(z.string()),
} as const;

export const BulkInput = z.strictObject({
  action: z.enum(['cancel', 'delete'], 'Must be cancel or delete'),
  packageIds: PackageIds,
});
export type BulkInput = z.output<typeof BulkInput>;

/** `done` counts packages, including those that were cancelled or deleted already. The refused ones are unchanged. */
export const BulkResult = z.object({
  done: z.int(),
  refused: z.array(z.object({ packageId: z.string(), code: ErrorCode, message: z.string() })),
});
export type BulkResult = z.output<typeof BulkResult>;

export const AddedImage = z.object({ packageId: z.string(), image: z.string() });
export type AddedImage = z.output<typeof AddedImage>;

export const packages = group({
  create: {
    method: 'POST',
    path: '/packages',
    limit: 'create',
    failure: 'Failed to create package.',
    access: { anyOf: ['packages.create'] },
    scope: 'own packages',
    body: CreatePackageInput,
    reply: Package,
    status: 201,
    errors: ['tracking_id_taken', 'reference_taken'],
  },
  listAll: {
    method: 'GET',
    path: '/packages',
    failure: 'Failed to fetch packages.',
    access: { anyOf: ['packages.view_all'] },
    scope: 'everything',
    query: AllPackagesQuery,
    reply: z.array(Package),
    list: true,
  },
  listOfUser: {
    method: 'GET',
    path: '/packages/user/:id',
    failure: 'Failed to fetch packages.',
    access: { anyOf: ['packages.read'] },
    scope: 'own packages',
    params: ById,
    query: PackageListQuery,
    reply: z.array(Package),
    list: true,
  },
  exportAll: {
    method: 'GET',
    path: '/packages/export',
    access: { anyOf: ['packages.view_all'] },
    scope: 'everything',
    query: PackageExportQuery,
    reply: 'csv',
  },
  exportOfUser: {
    method: 'GET',
    path: '/packages/user/:id/export',
    access: { anyOf: ['packages.read'] },
    scope: 'own packages',
    params: ById,
    query: PackageExportQuery,
    reply: 'csv',
  },
  /** Bulk import. Idempotent: rows whose package already exists are skipped, so the same file can be sent again. */
  import: {
    method: 'POST',
    path: '/packages/import',
    limit: 'create',
    access: { anyOf: ['packages.create'] },
    scope: 'own packages',
    query: ImportQuery,
    body: 'csv',
    repeats: 'are deduplicated by the use case',
    reply: Import,
    status: 201,
    errors: ['still_running', 'key_reused'],
  },
  /** A dry run of an import. */
  previewImport: {
    method: 'POST',
    path: '/packages/import/preview',
    limit: 'create',
    access: { anyOf: ['packages.create'] },
    scope: 'own packages',
    query: ImportQuery,
    body: 'csv',
    // Read-only; a POST because a file is too long for a query string.
    repeats: 'are executed again',
    reply: ImportPreview,
  },
  importTemplate: {
    method: 'GET',
    path: '/packages/import/template',
    access: { anyOf: ['packages.create'] },
    scope: 'none',
    reply: 'csv',
  },
  imports: {
    method: 'GET',
    path: '/packages/imports',
    access: { anyOf: ['packages.create'] },
    scope: 'own packages',
    query: PageQuery,
    reply: z.array(ImportProgress),
    list: true,
  },
  readImport: {
    method: 'GET',
    path: '/packages/imports/:id',
    access: { anyOf: ['packages.create'] },
    scope: 'own packages',
    params: ById,
    reply: Import,
  },
  summary: {
    method: 'GET',
    path: '/packages/user/:id/summary',
    access: { anyOf: ['packages.read'] },
    scope: 'own packages',
    params: ById,
    reply: PackageSummary,
  },
  read: {
    method: 'GET',
    path: '/packages/:id',
    failure: 'Failed to fetch package details.',
    access: { anyOf: ['packages.read'] },
    scope: 'own packages',
    params: ById,
    reply: Package,
  },
  update: {
    method: 'PUT',
    path: '/packages/:id',
    failure: 'Failed to update package.',
    access: { anyOf: ['packages.update'] },
    scope: 'own packages',
    params: ById,
    body: UpdatePackageInput,
    reply: Package,
    errors: ['stale', 'illegal_step', 'precondition_failed', 'reference_taken'],
  },
  /** The same as cancelling or deleting each by `update`: each is refused or done on its own, and the refused ones are reported. */
  bulk: {
    method: 'POST',
    path: '/packages/bulk',
    summary: 'Cancel or delete several packages',
    limit: 'own',
    access: { anyOf: ['packages.update'] },
    scope: 'own packages',
    body: BulkInput,
    reply: BulkResult,
  },
  /** What happens to a package after a failed attempt. The present choice, again, changes nothing. */
  chooseNextStep: {
    method: 'POST',
    path: '/packages/:id/next-step',
    summary: 'Choose what happens to a package that was not delivered',
    limit: 'create',
    failure: 'Failed to save your choice.',
    access: { anyOf: ['packages.update'] },
    scope: 'own packages',
    params: ById,
    body: NextStepInput,
    reply: Package,
    errors: ['illegal_step'],
  },
  /**
   * Sets a pin: owners as long as the address can be changed, staff until the package is done, drivers while they carry it. With
   * `returnAddress` that of the return address, for all that goes back there. The address book of the owner remembers it.
   */
  setPlace: {
    method: 'PUT',
    path: '/packages/:id/place',
    summary: 'Say where the address of a package is',
    failure: 'Failed to save the place.',
    access: { anyOf: ['packages.update', 'deliveries.update'] },
    scope: 'own packages',
    params: ById,
    body: PlaceInput,
    reply: Place,
    errors: ['illegal_step'],
  },
  /** Only once per delivered package. To get the first reply again, a retry must send the same Idempotency-Key. */
  rate: {
    method: 'POST',
    path: '/packages/:id/rating',
    limit: 'create',
    failure: 'Failed to rate the delivery.',
    access: { role: 'owner', anyOf: ['packages.read'] },
    scope: 'own packages',
    params: ById,
    body: RatePackageInput,
    reply: Rating,
    status: 201,
    errors: ['not_delivered', 'already_rated'],
  },
  addImage: {
    method: 'POST',
    path: '/packages/:id/images',
    limit: 'upload',
    failure: 'Failed to upload image.',
    access: { anyOf: ['packages.update'] },
    scope: 'own packages',
    params: ById,
    file: imageFile,
    reply: AddedImage,
    status: 201,
    errors: ['illegal_step', 'storage_not_configured'],
  },
  /** The failed attempts of a package, the newest first. */
  attempts: {
    method: 'GET',
    path: '/packages/:id/attempts',
    summary: 'List the failed attempts of a package',
    failure: 'Failed to fetch the attempts.',
    access: { anyOf: ['packages.read'] },
    scope: 'own packages',
    params: ById,
    reply: z.array(FailedAttempt),
  },
  events: {
    method: 'GET',
    path: '/packages/:id/events',
    access: { anyOf: ['packages.read'] },
    scope: 'own packages',
    params: ById,
    query: EventsQuery,
    reply: z.array(TrackingEvent),
    list: true,
  },
});
