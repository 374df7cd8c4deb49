import {
  checkedAge,
  maxPinTries,
  reachedBy,
  type Address,
  type Handling,
  type NextStep,
  type Package,
  type PackageStatus,
  type PinState,
  type Place,
  type Rating,
  type RecipientChange,
  type RecipientLanguage,
} from '@waybill/contract';
import { packageImageUrl, privateImageUrl } from '../images/service.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import type { Queryable, Tx } from '../platform/database/db.ts';

/** All null without an address. */
export interface AddressColumns {
  address_street: string | null;
  address_postal_code: string | null;
  address_city: string | null;
  address_country: string | null;
}

/** All null until the place of the address is known. */
export interface PlaceColumns {
  place_lon: number | null;
  place_lat: number | null;
  place_accuracy: Place['accuracy'] | null;
  place_source: string | null;
}

/** What a change of the recipient sets. */
export interface Wishes {
  window: Package['window'];
  eta: string | null;
  instructions: string | null;
  safePlace: string | null;
  nextStep: NextStep['kind'] | null;
  nextDay: string | null;
  depotId: string | null;
}

export interface StoredChange extends Omit<RecipientChange, 'choice'> {
  /** Missing in those that were stored before it was. */
  choice?: RecipientChange['choice'];
  set: Partial<Wishes>;
  before: Partial<Wishes>;
}

interface HandlingColumns {
  handling_fragile: boolean;
  handling_keep_upright: boolean;
  handling_refrigerated: boolean;
  handling_signature_required: boolean;
  handling_pin: boolean;
  handling_age: number | null;
  handling_safe_place: string | null;
}

export interface PackageRow extends AddressColumns, PlaceColumns, HandlingColumns {
  id: string;
  owner_id: string;
  tracking_id: string;
  reference: string | null;
  name: string;
  description: string;
  category: string;
  weight: number;
  dimensions_cm: Package['dimensions'];
  recipient_name: string;
  recipient_contact: string | null;
  recipient_email: string | null;
  recipient_phone: string | null;
  recipient_language: RecipientLanguage | null;
  window_from: Date | null;
  window_to: Date | null;
  hide_recipient: boolean;
  show_sender: boolean;
  /** Whether the recipient may change the delivery by their link. */
  allow_changes: boolean;
  /** The recipient's link is of this version; those of earlier ones do not open. */
  link_version: number;
  recipient_changes: StoredChange[] | null;
  instructions: string | null;
  status: PackageStatus;
  location: string | null;
  eta: string | null;
  images: string[];
  driver_id: string | null;
  /** The route that has the package, or had it last. */
  route_id: string | null;
  /** It waits, and a route that is not finished has it: planned there, or failed on it. */
  planned: boolean;
  /** Where it waits, or waited last. */
  depot_id: string | null;
  issue: string | null;
  received_by: string | null;
  started_at: Date | null;
  /** When the driver arrived at the door. Also of an earlier attempt: see `hasArrived`. */
  arrived_at: Date | null;
  estimated_delivery_at: Date | null;
  completed_at: Date | null;
  failed_at: Date | null;
  /** The wrong PINs so far; null without any, and for a package without a PIN. */
  pin_check: { wrong: number; waived: boolean } | null;
  /** How many attempts failed, and why the last one did and what proves it. Null where none did. */
  failures: { count: number; reason: string | null; photo: string | null; cardLeft: boolean | null } | null;
  /** It goes back to its owner. */
  return_due: boolean;
  next_step: NextStep['kind'] | null;
  next_day: string | null;
  /** Where it goes back to, if it does: the owner's name, phone and return address. */
  return_to: ({ name: string | null; phone: string | null } & AddressColumns & PlaceColumns) | null;
  /** When its owner had it back. */
  returned_at: Date | null;
  /** On the road with a driver who can no longer deliver it: suspended, deleted, or no driver any more. */
  stranded: boolean;
  rating_stars: number | null;
  rating_comment: string | null;
  rated_at: Date | null;
  recipient_stars: number | null;
  recipient_comment: string | null;
  recipient_rated_at: Date | null;
  created_at: Date;
  updated_at: Date;
  version: number;
}

/** SQL condition: this row of users is the driver of this row of packages and able to deliver it. */
export const isCarrierOf = (users: string, packages: string) =>
  `${users}.id = ${packages}.driver_id and ${users}.role = 'driver' and ${users}.status = 'active' and ${users}.deleted_at is null`;

/** SQL subquery: an expression over the driver `u` who is able to deliver this row of packages; null if there is none. */
export const fromCarrier = (packages: string, expression: string) =>
  `(select ${expression} from users u where ${isCarrierOf('u', packages)})`;

/** SQL condition: a route that is not finished has this waiting package, so it is not offered and no driver starts it by itself. */
export const isPlanned = `status = 'processing' and route_id is not null
  and exists (select from routes where routes.id = packages.route_id and routes.state <> 'finished')`;

/** SQL condition: this waiting package is not offered, because it goes back to its owner or is collected. Never null. */
export const isHeld = `status = 'processing' and (return_due or (next_step is not null and next_step = 'collect'))`;

/** The same of a waiting row. */
export const isHeldRow = ({ return_due: isReturned, next_step: step }: PackageRow): boolean =>
  isReturned || step === 'collect';

export const failedAttemptsOf = ({ failures }: PackageRow): number => failures?.count ?? 0;

/** The columns of an address in a row of packages. */
export const addressColumns = (pkg: string): string =>
  `${pkg}.address_street, ${pkg}.address_postal_code, ${pkg}.address_city, ${pkg}.address_country`;

/**
 * The columns of a PackageRow. The driver returns a numeric as text. What comes from other tables is as it was when the statement began:
 * one that waits for the lock of a package must not return it (`lockPackage`).
 */
export const packageColumns = `id, owner_id, tracking_id, reference, name, description, category, weight::float8 as weight, dimensions_cm, recipient_name,
  recipient_contact, recipient_email, recipient_phone, recipient_language, allow_changes, link_version, recipient_changes, ${addressColumns('packages')}, place_lon, place_lat, place_accuracy, place_source, window_from, window_to,
  handling_fragile, handling_keep_upright, handling_refrigerated, handling_signature_required, handling_pin, handling_age, handling_safe_place, hide_recipient, show_sender, instructions, status, location, eta, driver_id, route_id, depot_id,
  issue, received_by, started_at, arrived_at, estimated_delivery_at, completed_at, failed_at, return_due, next_step, next_day, returned_at,
  rating_stars, rating_comment, rated_at, recipient_stars, recipient_comment, recipient_rated_at, created_at, updated_at, version,
  array(select 'packages/' || images.name from images where images.package_id = packages.id order by images.position) as images,
  case when failed_at is not null then (
    select json_build_object('count', count(*), 'reason', (array_agg(reason order by number desc))[1],
      'photo', (array_agg(photo order by number desc))[1], 'cardLeft', (array_agg(card_left order by number desc))[1])
    from delivery_attempts where package_id = packages.id and outcome = 'failed'
  ) end as failures,
  case when handling_pin then (
    select json_build_object('wrong', cardinality(wrong), 'waived', waived) from pin_checks where package_id = packages.id
  ) end as pin_check,
  case when return_due then (
    select json_build_object('name', u.name, 'phone', u.phone, 'address_street', u.return_street, 'address_postal_code', u.return_postal_code,
      'address_city', u.return_city, 'address_country', u.return_country, 'place_lon', u.return_lon, 'place_lat', u.return_lat,
      'place_accuracy', u.return_accuracy, 'place_source', u.return_source) from users u where u.id = packages.owner_id
  ) end as return_to,
  status in ('in transit', 'out for delivery') and ${fromCarrier('packages', 'true')} is null as stranded,
  ${isPlanned} as planned`;

/** The owner whose packages a caller can access; null: all owners. */
export type OwnerScope = string | null;

export async function findPackage(db: Queryable, id: string, ownerId: OwnerScope): Promise<PackageRow | null> {
  const [row] = await db.query<PackageRow>(
    `select ${packageColumns} from packages where id = $1 and ($2::uuid is null or owner_id = $2)`,
    [id, ownerId],
  );
  return row ?? null;
}

/** In no order, without those that do not exist. */
export const findPackages = (db: Queryable, ids: string[]): Promise<PackageRow[]> =>
  db.query<PackageRow>(`select ${packageColumns} from packages where id = any($1)`, [ids]);

/** Locks the row until the transaction ends. Every change of a package starts here, so changes are serialized. */
export async function lockPackage(tx: Tx, id: string, ownerId: OwnerScope = null): Promise<PackageRow | null> {
  // The second statement has the images of the transaction that the first one waited for.
  const [, row] = await Promise.all([
    tx.query('select from packages where id = $1 and ($2::uuid is null or owner_id = $2) for update', [id, ownerId]),
    findPackage(tx, id, ownerId),
  ]);
  return row;
}

/** Locks these rows, without those that another transaction has locked: it waits for nobody. */
export const lockFreePackages = (tx: Tx, ids: string[]): Promise<PackageRow[]> =>
  tx.query<PackageRow>(`select ${packageColumns} from packages where id = any($1) order by id for update skip locked`, [
    ids,
  ]);

/** Whether the driver is at the door, or was at the delivery. Servers of version 0.2.0 leave the time of an earlier attempt. */
export const hasArrived = ({ arrived_at: at, started_at: startedAt, status }: PackageRow): boolean =>
  at !== null && startedAt !== null && at >= startedAt && (status === 'out for delivery' || status === 'delivered');

export const addressOf = (row: AddressColumns): Address | null =>
  row.address_street === null || row.address_city === null
    ? null
    : {
        street: row.address_street,
        postalCode: row.address_postal_code,
        city: row.address_city,
        country: row.address_country,
      };

export const placeOf = ({
  place_lon: lon,
  place_lat: lat,
  place_accuracy: accuracy,
  place_source: source,
}: PlaceColumns) =>
  lon === null || lat === null || accuracy === null ? null : { lon, lat, accuracy, source: source ?? '' };

/** The address as one line; null without one. */
export function addressLineOf(row: AddressColumns): string | null {
  const address = addressOf(row);
  return address && oneLine(address);
}

export const handlingOf = (row: HandlingColumns): Handling => ({
  fragile: row.handling_fragile,
  keepUpright: row.handling_keep_upright,
  refrigerated: row.handling_refrigerated,
  signatureRequired: row.handling_signature_required,
  pin: row.handling_pin,
  age: row.handling_age === null ? null : checkedAge,
  safePlace: row.handling_safe_place,
});

export function pinStateOf({
  handling_pin: isAsked,
  pin_check: check,
}: Pick<PackageRow, 'handling_pin' | 'pin_check'>): PinState {
  if (!isAsked) return null;
  if (check?.waived) return 'waived';
  return check && check.wrong >= maxPinTries ? 'locked' : 'asked';
}

export const oneLine = (address: Address): string =>
  [address.street, [address.postalCode, address.city].filter(Boolean).join(' '), address.country]
    .filter(Boolean)
    .join(', ');

export const asWindow = (row: Pick<PackageRow, 'window_from' | 'window_to'>): Package['window'] =>
  row.window_from && row.window_to ? { from: row.window_from.toISOString(), to: row.window_to.toISOString() } : null;

export const asRecipientRating = (row: PackageRow): Rating | null =>
  row.recipient_stars && row.recipient_rated_at
    ? { stars: row.recipient_stars, comment: row.recipient_comment, at: row.recipient_rated_at.toISOString() }
    : null;

export const asRating = (row: PackageRow): Rating | null =>
  row.rating_stars && row.rated_at
    ? { stars: row.rating_stars, comment: row.rating_comment, at: row.rated_at.toISOString() }
    : null;

/**
 * The package's location, for readers who may see its address. The column itself is public and has only the town once the package is
 * delivered, so this value must never be written back to it.
 */
export const locationOf = (
  row: Pick<PackageRow, 'status' | 'location' | 'started_at'> & AddressColumns,
): string | null =>
  // Without a start it was collected.
  (row.status === 'delivered' && row.started_at !== null ? addressLineOf(row) : null) ?? row.location;

/** Where a driver brings it: to the recipient, or back to its owner. */
export const destinationOf = (row: PackageRow): AddressColumns & PlaceColumns => row.return_to ?? row;

/** When it has to be there: what goes back to its owner has no window, as the recipient's wish was another place. */
export const windowsOf = ({ return_due, window_from, window_to }: PackageRow): [from: Date, to: Date][] =>
  !return_due && window_from && window_to ? [[window_from, window_to]] : [];

/** The delivery forecast; null while the package is stranded, since nobody is delivering it. */
export const forecastOf = (row: Pick<PackageRow, 'estimated_delivery_at' | 'stranded'>): string | null =>
  row.stranded ? null : (row.estimated_delivery_at?.toISOString() ?? null);

const returnToOf = ({ return_to: to }: PackageRow): Pick<Package, 'returnTo'> => {
  const address = to && addressLineOf(to);
  return to && address ? { returnTo: { address, place: placeOf(to) } } : {};
};

export const nextStepOf = ({ next_step: kind, next_day: day }: PackageRow): NextStep | null => kind && { kind, day };

/** Cancelled or deleted. Users who may see the package get signed URLs of its images, everybody else none. */
export const isWithdrawnStatus = (status: PackageStatus): boolean => status === 'cancelled' || status === 'inactive';

/** The route that has the package, or had it last. One that waits may still name a route that was finished or deleted meanwhile. */
export const routeOf = (row: Pick<PackageRow, 'status' | 'planned' | 'route_id'>): string | null =>
  row.status === 'processing' && !row.planned ? null : row.route_id;

/** The same, for callers who are not told of planning. */
export const startedRouteOf = (row: PackageRow): string | null => (row.planned ? null : routeOf(row));

export const recipientChangesOf = ({ recipient_changes: changes }: Pick<PackageRow, 'recipient_changes'>) =>
  (changes ?? []).map(({ set: _set, before: _before, choice = {}, ...change }): RecipientChange => ({
    ...change,
    choice,
  }));

/** Where the recipient is told: what was given, else what their contact is. Servers of version 0.2.0 store the contact alone. */
export function recipientReachOf({
  recipient_contact: contact,
  recipient_email: email,
  recipient_phone: phone,
}: Pick<PackageRow, 'recipient_contact' | 'recipient_email' | 'recipient_phone'>) {
  const typed = reachedBy(contact);
  return { email: email ?? typed.email, phone: phone ?? typed.phone };
}

export function asPackage(signer: Parameters<typeof packageImageUrl>[0], row: PackageRow): Package {
  const completedAt = row.completed_at?.toISOString() ?? null;
  const reach = recipientReachOf(row);
  return {
    _id: row.id,
    id: row.id,
    userId: row.owner_id,
    trackingId: row.tracking_id,
    reference: row.reference,
    name: row.name,
    description: row.description,
    category: row.category,
    weight: row.weight,
    dimensions: row.dimensions_cm,
    recipientName: row.recipient_name,
    recipientContact: row.recipient_contact,
    recipientEmail: reach.email,
    recipientPhone: reach.phone,
    recipientLanguage: row.recipient_language,
    recipientAddress: addressLineOf(row),
    address: addressOf(row),
    place: placeOf(row),
    window: asWindow(row),
    handling: handlingOf(row),
    pinState: pinStateOf(row),
    instructions: row.instructions,
    hideRecipient: row.hide_recipient,
    showSender: row.show_sender,
    allowChanges: row.allow_changes,
    recipientChanges: recipientChangesOf(row),
    status: row.status,
    location: locationOf(row),
    eta: row.eta,
    images: row.images.map((path) => packageImageUrl(signer, path, isWithdrawnStatus(row.status))),
    driverId: row.driver_id,
    routeId: startedRouteOf(row),
    depotId: row.depot_id,
    issue: row.issue,
    startTime: row.started_at?.toISOString() ?? null,
    estimatedDeliveryTime: forecastOf(row),
    arrivalWindow: null,
    stopsAway: null,
    actualDeliveryTime: completedAt,
    completedAt,
    receivedBy: row.received_by,
    failedAttempt:
      row.status === 'processing' && row.failed_at
        ? {
            at: row.failed_at.toISOString(),
            reason: row.failures?.reason ?? null,
            photo: row.failures?.photo ? privateImageUrl(signer, row.failures.photo) : null,
            cardLeft: row.failures?.cardLeft === true,
          }
        : null,
    returnedAt: row.returned_at?.toISOString() ?? null,
    attempts: failedAttemptsOf(row),
    returnDue: row.return_due,
    ...returnToOf(row),
    nextStep: nextStepOf(row),
    rating: asRating(row),
    recipientRating: asRecipientRating(row),
    createdAt: row.created_at.toISOString(),
    lastUpdate: row.updated_at.toISOString(),
    version: row.version,
  };
}

/** The package as this caller sees it: those who may see routes also see on which one it is planned. */
export const asPackageFor = (
  signer: Parameters<typeof packageImageUrl>[0],
  { permissions }: Pick<Actor, 'permissions'>,
  row: PackageRow,
): Package => {
  const mayPlan = permissions.includes('deliveries.assign') || permissions.includes('deliveries.view_all');
  return mayPlan ? { ...asPackage(signer, row), routeId: routeOf(row) } : asPackage(signer, row);
};
