import { withTheDriver, type NextStep } from '@waybill/contract';
import type { Attempt } from '../events/event-types.ts';
import type { Tx } from '../platform/database/db.ts';
import { hasArrived, packageColumns, type PackageRow } from './row.ts';
import { packageUpdate } from './store.ts';

/**
 * Statements for any number of packages, whose row locks the callers hold. They return the changed rows in no particular order; without
 * packages nothing is sent.
 */
const forEach = async <Row>(given: object[], run: (rows: string) => Promise<Row[]>): Promise<Row[]> =>
  given.length === 0 ? [] : run(JSON.stringify(given));

const whereGiven = 'id = given_id';
const idAndTime = 'given_id uuid, given_at timestamptz';
const changedAtGiven = { updated_at: 'given_at', version: 'version + 1' };

/** Without a driver, so that every driver can start it. */
const waitingAgain = {
  status: "'processing'",
  driver_id: 'null',
  started_at: 'null',
  arrived_at: 'null',
  estimated_delivery_at: 'null',
};

/** What its owner decided before the next attempt is settled with it; a package that goes back stays one. */
const decided = { next_step: 'case when return_due then next_step end', next_day: 'null' };

interface Change {
  given_id: string;
  given_at: Date;
}

/**
 * @param starts with the drivers, the delivery forecasts and the routes. Without one the package becomes the last stop of the route that the
 * driver has started, if any.
 */
export const setStarted = (
  tx: Tx,
  starts: (Change & {
    given_driver: string;
    given_forecast: Date;
    given_route: string | null;
    given_status: 'in transit' | 'out for delivery';
  })[],
): Promise<PackageRow[]> =>
  forEach(starts, (rows) =>
    tx.query<PackageRow>(
      packageUpdate({
        given: `${idAndTime}, given_driver uuid, given_forecast timestamptz, given_route uuid, given_status text`,
        where: whereGiven,
        set: {
          ...changedAtGiven,
          status: 'given_status',
          driver_id: 'given_driver',
          started_at: 'given_at',
          arrived_at: 'null',
          estimated_delivery_at: 'given_forecast',
          location: '$2',
          ...decided,
          route_id: `coalesce(given_route, (select id from routes where driver_id = given_driver and state = 'started'))`,
        },
      }),
      [rows, withTheDriver],
    ),
  );

export const setNext = (tx: Tx, changes: Change[]): Promise<PackageRow[]> =>
  forEach(changes, (rows) =>
    tx.query<PackageRow>(
      packageUpdate({ given: idAndTime, where: whereGiven, set: { ...changedAtGiven, status: "'out for delivery'" } }),
      [rows],
    ),
  );

/** In transit again: another stop of the route is next. */
export const setDeferred = (tx: Tx, changes: Change[]): Promise<PackageRow[]> =>
  forEach(changes, (rows) =>
    tx.query<PackageRow>(
      packageUpdate({
        given: idAndTime,
        where: whereGiven,
        set: { ...changedAtGiven, status: "'in transit'", arrived_at: 'null' },
      }),
      [rows],
    ),
  );

/** @param arrivals `given_time`: when the driver arrived */
export const setArrived = (tx: Tx, arrivals: (Change & { given_time: Date })[]): Promise<PackageRow[]> =>
  forEach(arrivals, (rows) =>
    tx.query<PackageRow>(
      packageUpdate({
        given: `${idAndTime}, given_time timestamptz`,
        where: whereGiven,
        set: { ...changedAtGiven, status: "'out for delivery'", arrived_at: 'given_time' },
      }),
      [rows],
    ),
  );

/** Out for delivery, and not arrived. */
export const setRetracted = (tx: Tx, changes: Change[]): Promise<PackageRow[]> =>
  forEach(changes, (rows) =>
    tx.query<PackageRow>(
      packageUpdate({ given: idAndTime, where: whereGiven, set: { ...changedAtGiven, arrived_at: 'null' } }),
      [rows],
    ),
  );

export const setLocation = (tx: Tx, changes: (Change & { given_place: string })[]): Promise<PackageRow[]> =>
  forEach(changes, (rows) =>
    tx.query<PackageRow>(
      packageUpdate({
        given: `${idAndTime}, given_place text`,
        where: whereGiven,
        set: { ...changedAtGiven, location: 'given_place' },
      }),
      [rows],
    ),
  );

/** Sets the location to the town only: the column is public. @param changes `given_time`: when it was handed over */
export const setCompleted = (
  tx: Tx,
  changes: (Change & { given_receiver: string | null; given_time: Date })[],
): Promise<PackageRow[]> =>
  forEach(changes, (rows) =>
    tx.query<PackageRow>(
      packageUpdate({
        given: `${idAndTime}, given_receiver text, given_time timestamptz`,
        where: whereGiven,
        set: {
          ...changedAtGiven,
          status: "'delivered'",
          completed_at: 'given_time',
          received_by: 'given_receiver',
          location: 'address_city',
        },
      }),
      [rows],
    ),
  );

/** Cancelled, as it has no recipient any more. It stays on its route, as a stop that is done. */
export const setReturned = (
  tx: Tx,
  changes: (Change & { given_receiver: string | null; given_time: Date })[],
): Promise<PackageRow[]> =>
  forEach(changes, (rows) =>
    tx.query<PackageRow>(
      packageUpdate({
        given: `${idAndTime}, given_receiver text, given_time timestamptz`,
        where: whereGiven,
        set: {
          ...changedAtGiven,
          status: "'cancelled'",
          returned_at: 'given_time',
          received_by: 'given_receiver',
          // Neither with the driver any more, nor at a place that everybody may know.
          location: 'null',
          estimated_delivery_at: 'null',
        },
      }),
      [rows],
    ),
  );

/** Delivered without a driver, at the place where it waits. */
export const setCollected = (tx: Tx, changes: (Change & { given_receiver: string | null })[]): Promise<PackageRow[]> =>
  forEach(changes, (rows) =>
    tx.query<PackageRow>(
      packageUpdate({
        given: `${idAndTime}, given_receiver text`,
        where: whereGiven,
        set: {
          ...changedAtGiven,
          status: "'delivered'",
          completed_at: 'given_at',
          received_by: 'given_receiver',
          route_id: 'null',
          return_due: 'false',
          next_step: 'null',
          next_day: 'null',
        },
      }),
      [rows],
    ),
  );

/** @param changes without a driver it waits again; with one it becomes the last stop of the route that the driver has started, if any */
export const setReopened = (
  tx: Tx,
  changes: (Change & { given_driver: string | null; given_forecast: Date | null; given_place: string | null })[],
): Promise<PackageRow[]> =>
  forEach(changes, (rows) =>
    tx.query<PackageRow>(
      packageUpdate({
        given: `${idAndTime}, given_driver uuid, given_forecast timestamptz, given_place text`,
        where: whereGiven,
        set: {
          ...changedAtGiven,
          status: "case when given_driver is null then 'processing' else 'in transit' end",
          driver_id: 'given_driver',
          started_at: 'case when given_driver is not null then started_at end',
          arrived_at: 'null',
          estimated_delivery_at: 'given_forecast',
          completed_at: 'null',
          received_by: 'null',
          rating_stars: 'null',
          rating_comment: 'null',
          rated_at: 'null',
          recipient_stars: 'null',
          recipient_comment: 'null',
          recipient_rated_at: 'null',
          location: 'given_place',
          route_id: "(select id from routes where driver_id = given_driver and state = 'started')",
        },
      }),
      [rows],
    ),
  );

/**
 * SQL: the sums of the days of `ended` are no longer valid (`server/src/stats/attempt-sums.ts`). Today needs no second mark, as
 * it keeps the first one. The time on the road of the day after begins with the last end of the day before.
 */
const markStaleDays = `insert into attempt_sums_stale
  select distinct day + later from ended cross join generate_series(0, 1) as later
  where day < (now() at time zone 'UTC')::date
    or (later = 0 and not exists (select from attempt_sums_stale stale where stale.day = ended.day))`;

/** The same for returns. With the days around them, as the zone may be any. */
export async function markStaleReturns(tx: Tx, returns: Date[]): Promise<void> {
  if (returns.length === 0) return;
  await tx.query(
    `with ended as (
       select (returned.at at time zone 'UTC')::date + days as day
       from unnest($1::timestamptz[]) as returned (at) cross join generate_series(-1, 1) as days
     )
     ${markStaleDays}`,
    [returns],
  );
}

/**
 * Removes the attempt that completed a package, so that no figure counts it.
 * @returns it, or null if there is none: the package was collected
 */
export async function deleteCompletedAttempt(tx: Tx, packageId: string): Promise<Attempt | null> {
  const [attempt] = await tx.query<Attempt>(
    `with ended as (
       delete from delivery_attempts where package_id = $1 and outcome = 'completed'
       returning number, started_at as "startedAt", ended_at as "endedAt", coalesce(due_at, ended_at) as "dueAt",
         coalesce(day, (ended_at at time zone 'UTC')::date) as day
     ), marked as (${markStaleDays})
     select number, "startedAt", "endedAt", "dueAt" from ended`,
    [packageId],
  );
  return attempt ?? null;
}

/** When the package was rated by its owner and by its recipient, if it was: figures counted it at that time. */
export async function findRatedAt(tx: Tx, packageId: string): Promise<{ owner: Date | null; recipient: Date | null }> {
  const [found] = await tx.query<{ owner: Date | null; recipient: Date | null }>(
    `select max(at) filter (where type = 'package.rated') as owner, max(at) filter (where type = 'package.rated-by-recipient') as recipient
     from package_events where package_id = $1 and type in ('package.rated', 'package.rated-by-recipient')`,
    [packageId],
  );
  return found ?? { owner: null, recipient: null };
}

/**
 * What its owner decided about a waiting package: one that goes back or is collected leaves its planned route. While it is with a driver on
 * a started one, it stays there.
 */
export async function setNextStep(tx: Tx, id: string, { kind, day }: NextStep, at: Date): Promise<PackageRow | null> {
  const [row] = await tx.query<PackageRow>(
    packageUpdate({
      where: 'id = $1',
      set: {
        next_step: '$2',
        next_day: '$3::date',
        return_due: "$2 = 'return'",
        updated_at: '$4',
        version: 'version + 1',
        route_id: `case when $2 = 'again' then route_id
          else (select id from routes where id = packages.route_id and state = 'started') end`,
      },
    }),
    [id, kind, day, at],
  );
  return row ?? null;
}

/**
 * Back to processing, so that every driver can claim it again. The attempt stays in the events.
 * @param changes with when each attempt failed, and where the package is now; null keeps the last place, which is 'with the driver' unless
 * the driver reported another
 */
export const setFailed = (
  tx: Tx,
  changes: (Change & {
    given_place: string | null;
    given_time: Date;
    given_day: string | null;
    /** Whether it goes back to its owner. */
    given_return: boolean;
  })[],
): Promise<PackageRow[]> =>
  forEach(changes, (rows) =>
    tx.query<PackageRow>(
      packageUpdate({
        given: `${idAndTime}, given_place text, given_time timestamptz, given_day date, given_return boolean`,
        where: whereGiven,
        set: {
          ...changedAtGiven,
          ...waitingAgain,
          location: 'coalesce(given_place, location)',
          failed_at: 'given_time',
          return_due: 'return_due or given_return',
          next_step:
            "case when return_due then next_step when given_day is not null and not given_return then 'again' end",
          next_day: 'case when not return_due and not given_return then given_day end',
          // With the driver until the route is finished.
          route_id: "(select id from routes where id = packages.route_id and state = 'started')",
          depot_id:
            "coalesce((select depot_id from routes where id = packages.route_id and state = 'started'), depot_id)",
        },
      }),
      [rows],
    ),
  );

/** Locks and returns all packages that a driver has on the road. */
export const lockCarried = (tx: Tx, driverId: string) =>
  tx.query<PackageRow>(
    `select ${packageColumns} from packages where driver_id = $1 and status in ('in transit', 'out for delivery')
     order by id for update`,
    [driverId],
  );

/** Back to processing without counting an attempt, as if never started. @param changes with where each is now, and at which depot; null keeps the last one */
export const setReleased = (
  tx: Tx,
  changes: (Change & { given_place: string | null; given_depot: string | null })[],
): Promise<PackageRow[]> =>
  forEach(changes, (rows) =>
    tx.query<PackageRow>(
      packageUpdate({
        given: `${idAndTime}, given_place text, given_depot uuid`,
        where: whereGiven,
        set: {
          ...changedAtGiven,
          ...waitingAgain,
          location: 'coalesce(given_place, location)',
          depot_id: 'coalesce(given_depot, depot_id)',
          route_id: 'null',
        },
      }),
      [rows],
    ),
  );

export interface EndedAttempt {
  /** The locked package before the attempt ended; the lock keeps attempt numbers unique. */
  pkg: PackageRow;
  outcome: 'completed' | 'failed';
  endedAt: Date;
  /** When the server got to know of it, if `endedAt` is the time of a device. */
  recordedAt: Date | null;
  /** Of a failed one: why, the path of an image, and whether a card was left at the door. */
  reason: string | null;
  photo: string | null;
  cardLeft: boolean | null;
  /** The organisation's. */
  timeZone: string;
}

/**
 * Records how the present attempts ended, with their due times as of now: the end of the window, else the end of the eta's day in the
 * organisation's zone, else the estimated time. At most one attempt of each package.
 */
export const insertAttempts = (tx: Tx, attempts: EndedAttempt[]): Promise<(Attempt & { packageId: string })[]> =>
  forEach(
    attempts.map(({ pkg, outcome, endedAt, recordedAt, reason, photo, cardLeft, timeZone }) => ({
      package_id: pkg.id,
      driver_id: pkg.driver_id,
      started_at: pkg.started_at,
      ended_at: endedAt,
      recorded_at: recordedAt,
      reason,
      photo,
      card_left: cardLeft,
      arrived_at: hasArrived(pkg) && pkg.arrived_at !== null && pkg.arrived_at <= endedAt ? pkg.arrived_at : null,
      outcome,
      eta: pkg.eta,
      estimated_delivery_at: pkg.estimated_delivery_at,
      window_to: pkg.window_to,
      time_zone: timeZone,
      owner_id: pkg.owner_id,
      depot_id: pkg.depot_id,
      route_id: pkg.route_id,
      town: pkg.address_city,
    })),
    (rows) =>
      tx.query<Attempt & { packageId: string }>(
        `with ended as (
           insert into delivery_attempts
             (number, package_id, driver_id, started_at, arrived_at, ended_at, recorded_at, reason, photo, card_left, outcome, eta,
              estimated_delivery_at, due_at, owner_id, depot_id, route_id, town, day)
           select 1 + (select count(*) from delivery_attempts earlier where earlier.package_id = given.package_id),
             package_id, given.driver_id, given.started_at, arrived_at, ended_at, recorded_at, reason, photo, card_left, outcome, eta,
             estimated_delivery_at,
             coalesce(window_to, (eta + 1)::timestamp at time zone given.time_zone - interval '1 millisecond', estimated_delivery_at),
             owner_id, depots.id, route_id, nullif(btrim(town), ''),
             (ended_at at time zone coalesce(depots.time_zone, given.time_zone))::date
           from json_to_recordset($1) as given (package_id uuid, driver_id uuid, started_at timestamptz, arrived_at timestamptz, ended_at timestamptz, recorded_at timestamptz, reason text, photo text, card_left boolean, outcome text,
             eta date, estimated_delivery_at timestamptz, window_to timestamptz, time_zone text, owner_id uuid, depot_id uuid, route_id uuid, town text)
             left join routes on routes.id = given.route_id
             left join depots on depots.id = coalesce(routes.depot_id, given.depot_id)
           returning package_id, number, started_at, ended_at, due_at, day
         ), marked as (${markStaleDays})
         select package_id as "packageId", number, started_at as "startedAt", ended_at as "endedAt", coalesce(due_at, ended_at) as "dueAt" from ended`,
        [rows],
      ),
  );
