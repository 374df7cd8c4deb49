import {
  isOnTheRoad,
  maskTrackingId,
  withTheDriver,
  type AvailablePackage,
  type Delivery,
  type DeliverySummary,
  type DriverInfo,
  type PackageStatus,
} from '@waybill/contract';
import type * as z from 'zod/mini';
import type { Attempt } from '../events/event-types.ts';
import { imageUrl } from '../images/names.ts';
import type { Queryable, Tx } from '../platform/database/db.ts';
import { keysOf, type ListOrder } from '../platform/database/lists.ts';
import {
  asWindow,
  forecastOf,
  isWithdrawnStatus,
  locationOf,
  oneLine,
  packageColumns,
  type PackageRow,
} from '../packages/row.ts';

const deliveryStatus = (status: PackageStatus): Delivery['status'] => {
  if (status === 'processing') return 'pending';
  return status === 'out for delivery' ? 'in transit' : status;
};

/** A start that came through, however far the delivery is by now. */
export const hasStarted = (status: PackageStatus): boolean => isOnTheRoad(status) || status === 'delivered';

/** The driver's view of a package. Until it is started, recipient, exact address and the ID of its public page stay hidden. */
export const asDelivery = (row: PackageRow): Delivery => present(row, !hasStarted(row.status));

/** What a search among such views looks through: no more than they show, or each guess would be confirmed or denied. */
export const searchDeliveries = `lower(name || ' ' ||
  case when status in ('in transit', 'out for delivery', 'delivered') then tracking_id else 'PKG-…' || right(tracking_id, 3) end)`;

/**
 * The order in which a driver goes on: the stop that is marked as next, then what is open by the end of its window or by when it is
 * expected, then what is delivered, the latest first.
 */
const stopKeys = [
  `case status when 'out for delivery' then 0 when 'in transit' then 1 else 2 end`,
  `case when completed_at is null then extract(epoch from coalesce(window_to, estimated_delivery_at, created_at))
    else -extract(epoch from completed_at) end`,
  'id',
];

export const stopOrder: ListOrder = { keys: stopKeys, last: keysOf(stopKeys, 'packages') };

/** The same for its owner, who wrote the recipient and the address. */
export const asOwnersDelivery = (row: PackageRow): Delivery => present(row, false);

/** The same package while it waits, by the names of a package. */
export const asAvailablePackage = (row: PackageRow): AvailablePackage => ({
  _id: row.id,
  id: row.id,
  trackingId: maskTrackingId(row.tracking_id),
  name: row.name,
  description: row.description,
  category: row.category,
  weight: row.weight_kg,
  dimensions: row.dimensions_cm,
  recipientName: null,
  recipientContact: null,
  recipientAddress: null,
  window: asWindow(row),
  handling: beforeStart.handling(row),
  status: row.status,
  location: beforeStart.location(row),
  eta: row.eta,
  images: row.images.map(imageUrl),
  createdAt: row.created_at.toISOString(),
  lastUpdate: row.updated_at.toISOString(),
  version: row.version,
});

/** What any driver may look at has no exact place. */
const beforeStart = {
  handling: (row: PackageRow) => ({ ...row.handling, safePlace: null }),
  location: (row: PackageRow) => row.address?.city ?? row.location,
};

function present(row: PackageRow, masked: boolean): Delivery {
  const completedAt = row.completed_at?.toISOString() ?? null;
  return {
    id: row.id,
    trackingId: masked ? maskTrackingId(row.tracking_id) : row.tracking_id,
    reference: masked ? null : row.reference,
    packageName: row.name,
    weight: row.weight_kg,
    category: row.category,
    description: row.description,
    handling: masked ? beforeStart.handling(row) : row.handling,
    recipientName: masked ? null : row.recipient_name,
    recipientPhone: masked ? null : row.recipient_contact,
    recipientAddress: masked || !row.address ? null : oneLine(row.address),
    location: masked ? beforeStart.location(row) : locationOf(row),
    window: asWindow(row),
    instructions: masked ? null : row.instructions,
    eta: row.eta,
    status: deliveryStatus(row.status),
    next: row.status === 'out for delivery',
    driverId: row.driver_id,
    // What a driver before wrote may name the recipient or the door.
    issue: masked ? null : row.issue,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    estimatedDeliveryTime: forecastOf(row),
    startTime: row.started_at?.toISOString() ?? null,
    completedAt,
    actualDeliveryTime: completedAt,
    receivedBy: row.received_by,
    packageImages: isWithdrawnStatus(row.status) ? [] : row.images.map(imageUrl),
    version: row.version,
  };
}

export async function setStarted(
  tx: Tx,
  id: string,
  driverId: string,
  times: { startedAt: Date; estimatedDeliveryAt: Date },
): Promise<PackageRow | null> {
  const [row] = await tx.query<PackageRow>(
    `update packages set status = 'in transit', driver_id = $2, started_at = $3, estimated_delivery_at = $4, updated_at = $3,
       location = $5, version = version + 1
     where id = $1 returning ${packageColumns}`,
    [id, driverId, times.startedAt, times.estimatedDeliveryAt, withTheDriver],
  );
  return row ?? null;
}

export async function setNext(tx: Tx, id: string, at: Date): Promise<PackageRow | null> {
  const [row] = await tx.query<PackageRow>(
    `update packages set status = 'out for delivery', updated_at = $2, version = version + 1
     where id = $1 returning ${packageColumns}`,
    [id, at],
  );
  return row ?? null;
}

export async function setLocation(tx: Tx, id: string, location: string, at: Date): Promise<PackageRow | null> {
  const [row] = await tx.query<PackageRow>(
    `update packages set location = $2, updated_at = $3, version = version + 1 where id = $1 returning ${packageColumns}`,
    [id, location, at],
  );
  return row ?? null;
}

/** The town is all that everybody may know of where it went. */
export async function setCompleted(
  tx: Tx,
  id: string,
  at: Date,
  receivedBy: string | null,
): Promise<PackageRow | null> {
  const [row] = await tx.query<PackageRow>(
    `update packages set status = 'delivered', completed_at = $2, updated_at = $2, received_by = $3,
       location = address->>'city', version = version + 1
     where id = $1 returning ${packageColumns}`,
    [id, at, receivedBy],
  );
  return row ?? null;
}

/**
 * Back to processing: for everybody to claim, as if never started. The attempt stays in the events.
 * @param location where it is now; null: where it was, which is still with the driver unless that was reported otherwise
 */
export async function setFailed(tx: Tx, id: string, at: Date, location: string | null): Promise<PackageRow | null> {
  const [row] = await tx.query<PackageRow>(
    `update packages set status = 'processing', driver_id = null, started_at = null, estimated_delivery_at = null,
       location = coalesce($3, location), failed_at = $2, updated_at = $2, version = version + 1
     where id = $1 returning ${packageColumns}`,
    [id, at, location],
  );
  return row ?? null;
}

/** What a driver has on the road, locked. */
export const lockCarried = (tx: Tx, driverId: string) =>
  tx.query<PackageRow>(
    `select ${packageColumns} from packages where driver_id = $1 and status in ('in transit', 'out for delivery')
     order by id for update`,
    [driverId],
  );

/** Back to processing without an attempt: as if never started. */
export async function setReleased(tx: Tx, id: string, at: Date): Promise<PackageRow | null> {
  const [row] = await tx.query<PackageRow>(
    `update packages set status = 'processing', driver_id = null, started_at = null, estimated_delivery_at = null,
       updated_at = $2, version = version + 1
     where id = $1 returning ${packageColumns}`,
    [id, at],
  );
  return row ?? null;
}

/**
 * Writes down how the present attempt ended, and what it is judged by as it is now: on time is by the end of the window, without one by
 * the end of the eta's day where the organisation is, without either by the estimated time.
 * @param pkg the package before it ended, locked: nobody else counts its attempts meanwhile
 */
export async function insertAttempt(
  tx: Tx,
  pkg: PackageRow,
  outcome: 'completed' | 'failed',
  { endedAt, timeZone }: { endedAt: Date; timeZone: string },
): Promise<Attempt> {
  const [row] = await tx.query<Attempt>(
    `insert into delivery_attempts
       (number, package_id, driver_id, started_at, ended_at, outcome, eta, estimated_delivery_at, due_at)
     select 1 + count(*), $1, $2, $3, $4, $5, $6, $7,
       coalesce($8::timestamptz, ($6::date + 1)::timestamp at time zone $9 - interval '1 millisecond', $7::timestamptz)
     from delivery_attempts where package_id = $1
     returning number, started_at as "startedAt", ended_at as "endedAt", due_at as "dueAt"`,
    [
      pkg.id,
      pkg.driver_id,
      pkg.started_at,
      endedAt,
      outcome,
      pkg.eta,
      pkg.estimated_delivery_at,
      pkg.window_to,
      timeZone,
    ],
  );
  if (!row) throw new Error('the attempt was not written');
  return row;
}

export async function countDeliveries(db: Queryable, driverId: string): Promise<z.output<typeof DeliverySummary>> {
  const [row] = await db.query<Record<'completed' | 'active' | 'pending', string>>(
    `select count(*) filter (where status = 'delivered') as completed,
            count(*) filter (where status in ('in transit', 'out for delivery')) as active,
            (select count(*) from packages where status = 'processing') as pending
     from packages where driver_id = $1`,
    [driverId],
  );
  const active = Number(row?.active ?? 0);
  const completed = Number(row?.completed ?? 0);
  return { mine: active + completed, completed, pending: Number(row?.pending ?? 0), active };
}

/** An active driver, or null. Locked against a suspension in the same moment. */
export async function lockActiveDriver(tx: Tx, id: string): Promise<{ id: string } | null> {
  const [row] = await tx.query<{ id: string }>(
    "select id from users where id = $1 and role = 'driver' and status = 'active' for share",
    [id],
  );
  return row ?? null;
}

interface DriverRow {
  id: string;
  name: string;
  email: string;
  phone: string | null;
  profile_picture: string | null;
  status: string;
  created_at: Date;
  total: string;
  rating: string | null;
  busy: boolean;
  years_of_experience: number | null;
  vehicle_type: string | null;
  vehicle_model: string | null;
  vehicle_license_plate: string | null;
  current_location: string | null;
}

export interface Proof {
  note: string | null;
  /** Paths. */
  photo: string | null;
  signature: string | null;
}

export async function insertProof(tx: Tx, packageId: string, proof: Proof): Promise<void> {
  await tx.query('insert into proofs (package_id, note, photo, signature) values ($1, $2, $3, $4)', [
    packageId,
    proof.note,
    proof.photo,
    proof.signature,
  ]);
}

interface ProofRow extends Proof {
  sender: string | null;
  driver: string | null;
  failures: string;
  /** Null for a delivery of before this was kept. */
  due_at: Date | null;
}

/** What a receipt says beside the package: the proof, the names of both sides, and how often it failed before. */
export async function findProof(db: Queryable, packageId: string): Promise<ProofRow | null> {
  const [row] = await db.query<ProofRow>(
    `select r.note, r.photo, r.signature, o.name as sender, d.name as driver,
            (select count(*) from package_events where package_id = p.id and type = 'delivery.failed') as failures,
            (select due_at from delivery_attempts where package_id = p.id and outcome = 'completed') as due_at
     from packages p join users o on o.id = p.owner_id left join users d on d.id = p.driver_id
     join proofs r on r.package_id = p.id where p.id = $1`,
    [packageId],
  );
  return row ?? null;
}

/** A driver as others see them. Average and total are computed from the deliveries themselves: counters drift, rows do not. */
export async function findDriver(
  db: Queryable,
  id: string,
  estimatedDeliveryTime: string | null,
): Promise<DriverInfo | null> {
  const [row] = await db.query<DriverRow>(
    `select u.id, u.name, u.email, u.phone, u.profile_picture, u.status, u.created_at, u.years_of_experience, u.vehicle_type, u.vehicle_model,
            u.vehicle_license_plate, u.current_location,
            (select count(*) from packages where driver_id = u.id and status = 'delivered') as total,
            (select round(avg(rating_stars), 1) from packages where driver_id = u.id and rating_stars is not null) as rating,
            exists (select from packages where driver_id = u.id and status in ('in transit', 'out for delivery')) as busy
     from users u where u.id = $1 and u.deleted_at is null`,
    [id],
  );
  if (!row) return null;
  const vehicle = row.vehicle_type ?? row.vehicle_model ?? row.vehicle_license_plate;
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    phone: row.phone,
    profilePicture: row.profile_picture && imageUrl(row.profile_picture),
    status: row.status === 'active' ? (row.busy ? 'busy' : 'active') : 'unavailable',
    createdAt: row.created_at.toISOString(),
    rating: row.rating === null ? null : Number(row.rating),
    totalDeliveries: Number(row.total),
    yearsOfExperience: row.years_of_experience,
    vehicleInfo:
      vehicle === null
        ? null
        : { type: row.vehicle_type, model: row.vehicle_model, licensePlate: row.vehicle_license_plate },
    currentLocation: row.current_location,
    estimatedDeliveryTime,
  };
}

/** Whether the caller may look at this driver: it is themselves, or one of their packages is this driver's, or they see every driver. */
export async function reachesDriver(
  db: Queryable,
  callerId: string,
  seesAll: boolean,
  driverId: string,
): Promise<boolean> {
  const rows = await db.query(
    `select id from users u
     where id = $1 and ((role = 'driver' and ($3 or id = $2))
       or exists (select from packages where driver_id = u.id and owner_id = $2))`,
    [driverId, callerId, seesAll],
  );
  return rows.length > 0;
}
